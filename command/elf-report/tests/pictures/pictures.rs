//! Pictures of small families, as all formats have them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use elf_lineage::{Lineage, LineageBuilder, LineageReader};
use elf_report::pictures::{FAN_GENERATIONS, FamilyTree, Layout, PageSize, SvgOptions, TreeOptions};
use elf_schema::{ReadOptions, Rules};

fn lineage(records: &str) -> Lineage {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{records}\n0 TRLR\n");
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).unwrap();
    Lineage::of(&typed)
}

fn tree(records: &str, of: &str, options: TreeOptions) -> FamilyTree {
    FamilyTree::of(lineage(records).find_person(of).unwrap(), &options)
}

fn text(records: &str, of: &str) -> String {
    tree(records, of, TreeOptions::default()).to_text(None)
}

/// The attributes `name` of all elements, where they have one, and the texts of titles.
fn titles(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let titles =
        document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    titles.map(|title| title.text().unwrap_or_default().to_owned()).collect()
}

/// Three generations: a woman who married twice, an adopted child, a grandson by an unknown partner.
const FAMILY: &str = "0 @I1@ INDI\n1 NAME Ada /King/\n1 SEX F\n1 BIRT\n2 DATE ABT 1815\n1 DEAT\n2 DATE 27 NOV 1852\n\
    1 FAMC @F0@\n0 @I2@ INDI\n1 NAME William /King/\n1 SEX M\n1 DEAT Y\n0 @I3@ INDI\n1 NAME Byron /King/\n1 BIRT\n\
    2 DATE BEF 1840\n0 @I4@ INDI\n1 NAME Anne\n1 BAPM\n2 DATE BET 1837 AND 1839\n1 FAMC @F1@\n2 PEDI adopted\n\
    0 @I5@ INDI\n1 NAME John\n0 @I6@ INDI\n1 NAME Ralph\n1 BURI\n2 DATE AFT 1900\n0 @I7@ INDI\n1 NAME George\n\
    0 @F0@ FAM\n1 HUSB @I7@\n1 CHIL @I1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n1 MARR\n2 DATE 8 JUL 1835\n\
    1 CHIL @I3@\n1 CHIL @I4@\n0 @F2@ FAM\n1 HUSB @I5@\n1 WIFE @I1@\n0 @F3@ FAM\n1 WIFE @I4@\n1 CHIL @I6@";

#[test]
fn a_family_as_text() {
    let expected = "Ancestors of Ada King\n\n\
        ┌─ George @I7@\n\
        Ada King (abt 1815 – 1852) @I1@\n\
        └─ ?\n\n\
        Descendants of Ada King\n\n\
        Ada King (abt 1815 – 1852) @I1@\n\
        ⚭ 1835 William King (†) @I2@\n\
        ├─ Byron King (* bef 1840) @I3@\n\
        └─ Anne (* bap 1837/1839) @I4@, adopted\n\
        \x20  ⚭\n\
        \x20  └─ Ralph († bur aft 1900) @I6@\n\
        ⚭ John @I5@\n";
    assert_eq!(text(FAMILY, "I1"), expected);
    let narrow = tree(FAMILY, "I3", TreeOptions::default().with_up(1)).to_text(Some(32));
    let expected = "Ancestors of Byron King\n\n┌─ William King (†) @I2@\nByron King (* bef 1840) @I3@\n\
        └─ Ada King (abt 1815 – 1852) @I1@ …\n";
    assert_eq!(narrow, expected, "a name keeps eight columns, and a mark says that there are parents");
}

#[test]
fn a_family_as_data_and_for_graphviz() {
    let tree = tree(FAMILY, "I4", TreeOptions::default());
    let data = serde_json::to_string(&tree.data()).unwrap();
    let expected = r#"{"root":1,"up":4,"down":2,"persons":[{"number":1,"line":19,"id":"I4","name":"Anne","years":"* bap 1837/1839","generation":0},{"number":2,"line":11,"id":"I2","name":"William King","sex":"M","years":"†","generation":-1},{"number":3,"line":3,"id":"I1","name":"Ada King","sex":"F","years":"abt 1815 – 1852","generation":-1},{"number":4,"line":27,"id":"I6","name":"Ralph","years":"† bur aft 1900","generation":1},{"number":5,"line":31,"id":"I7","name":"George","generation":-2}],"families":[{"id":"F1","marriage":"1835","partners":[2,3],"children":[{"person":1,"tie":"adopted"}]},{"id":"F3","partners":[1],"children":[{"person":4}]},{"id":"F0","partners":[5],"children":[{"person":3}]}],"left_out":0}"#;
    assert_eq!(data, expected);
    let dot = tree.to_dot();
    assert!(dot.contains("  p0 [label = \"Anne\\n* bap 1837/1839\", penwidth = 2];\n"), "{dot}");
    assert!(dot.contains("  f0 -> p0 [dir = none, style = dashed, label = \"adopted\"];\n"), "{dot}");
}

#[test]
fn cousins_who_married_share_their_grandparents() {
    let records = "0 @I1@ INDI\n1 NAME Child\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I3@\n1 CHIL @I1@\n0 @I2@ INDI\n\
        1 NAME Father\n0 @I3@ INDI\n1 NAME Mother\n0 @F2@ FAM\n1 HUSB @I4@\n1 WIFE @I5@\n1 CHIL @I2@\n1 CHIL @I3@\n\
        0 @I4@ INDI\n1 NAME Grandfather\n1 FAMC @F3@\n0 @I5@ INDI\n1 NAME Grandmother\n0 @F3@ FAM\n1 HUSB @I6@\n\
        0 @I6@ INDI\n1 NAME Old";
    let expected = "Ancestors of Child\n\n   ┌─ [1] Grandfather @I4@\n\
        ┌─ Father @I2@\n\
        │  └─ [2] Grandmother @I5@\n\
        Child @I1@\n\
        │  ┌─ Grandfather @I4@ → 1\n\
        └─ Mother @I3@\n   └─ Grandmother @I5@ → 2\n";
    let up = TreeOptions::default().with_up(2).with_down(0);
    let drawn = tree(records, "I1", up).to_text(None);
    assert_eq!(drawn.replace(" …", ""), expected);
    assert_eq!(titles(&tree(records, "I1", up).to_svg(&SvgOptions::default())).len(), 8);
    let down = tree(records, "I4", TreeOptions::default());
    let expected = "Descendants of Grandfather\n\nGrandfather @I4@\n⚭ Grandmother @I5@\n\
        ├─ [1] Father @I2@\n│  ⚭ Mother @I3@ → 2\n│  └─ Child @I1@\n└─ [2] Mother @I3@\n   ⚭ Father @I2@ → 1\n";
    assert!(down.to_text(None).ends_with(expected), "{}", down.to_text(None));
}

#[test]
fn a_circle_ends() {
    let records =
        "0 @I1@ INDI\n1 NAME Ouroboros\n1 FAMC @F1@\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I1@";
    let options = TreeOptions::default().with_up(u32::MAX).with_down(u32::MAX);
    let drawn = tree(records, "I1", options).to_text(None);
    let expected = "Ancestors of Ouroboros\n\n┌─ Ouroboros @I1@ → 1\n[1] Ouroboros @I1@\n└─ ?\n\n\
        Descendants of Ouroboros\n\n[1] Ouroboros @I1@\n⚭\n└─ Ouroboros @I1@ → 1\n";
    assert_eq!(drawn, expected);
}

#[test]
fn what_a_file_says_is_shown_and_never_obeyed() {
    let records = "0 @I1@ INDI\n1 NAME </title><script>alert(1)</script>\" onload=\"x\\\n1 FAMS @F1@\n0 @I2@ INDI\n\
        1 NAME \u{202e}evil\u{1b}[31m\u{200f} \u{fffe}&amp;]]>\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n0 @I<&\"'> INDI";
    let tree = tree(records, "I1", TreeOptions::default());
    let svg = tree.to_svg(&SvgOptions::default().with_width(Some(200)));
    let titles = titles(&svg);
    assert_eq!(titles[0], "Family tree of < title><script>alert(1)< script>\" onloa…");
    assert_eq!(titles[2], "⚭, evil[31m &amp;]]> (@I2@)");
    assert!(!svg.contains("<script") && !svg.contains('\u{202e}') && !svg.contains('\u{1b}'));
    let dot = tree.to_dot();
    assert!(dot.contains(r#"label = "< title><script>alert(1)< script>\" onloa…""#), "{dot}");
    assert!(!tree.to_text(None).contains(['\u{202e}', '\u{1b}']));
}

#[test]
fn names_from_right_to_left_are_isolated() {
    let records = "0 @I1@ INDI\n1 NAME דוד /בן-גוריון/\n1 BIRT\n2 DATE 16 OCT 1886\n1 FAMS @F1@\n0 @F1@ FAM\n\
        1 WIFE @I2@\n0 @I2@ INDI\n1 NAME فاطمة /الفهري/";
    let tree = tree(records, "I1", TreeOptions::default());
    let expected = "\u{2068}דוד בן-גוריון\u{2069} (* 1886) @I1@\n⚭ \u{2068}فاطمة الفهري\u{2069} @I2@\n";
    assert!(tree.to_text(None).ends_with(expected), "{}", tree.to_text(None));
    let svg = tree.to_svg(&SvgOptions::default());
    assert_eq!(svg.matches("direction=\"rtl\">").count(), 2, "{svg}");
}

#[test]
fn the_nearest_are_drawn_and_the_others_counted() {
    let options = TreeOptions::default().with_most(3);
    let tree = tree(FAMILY, "I1", options);
    assert_eq!((tree.person_count(), tree.left_out()), (3, 4));
    assert!(tree.to_text(None).ends_with("\n4 people further away are left out\n"), "{}", tree.to_text(None));
    assert!(tree.to_svg(&SvgOptions::default()).contains("4 people further away are left out</text>"));
}

#[test]
fn all_partners_and_all_parents_are_drawn() {
    let mut records = String::from(
        "0 @C@ INDI\n1 NAME Child\n0 @F@ FAM\n1 HUSB @P0@\n1 CHIL @C@\n1 CHIL @D@\n\
        0 @D@ INDI\n1 NAME Sister\n0 @P0@ INDI\n1 NAME First\n",
    );
    for number in 1..=20 {
        records.push_str(&format!(
            "0 @P{number}@ INDI\n1 FAMS @F@\n0 @Q{number}@ INDI\n0 @G{number}@ FAM\n\
            1 HUSB @Q{number}@\n1 CHIL @C@\n"
        ));
    }
    let up = tree(&records, "C", TreeOptions::default());
    assert_eq!((up.person_count(), up.left_out()), (42, 0));
    let drawn = up.to_text(None);
    assert!(
        (1..=20)
            .all(|number| drawn.contains(&format!("@P{number}@\n"))
                && drawn.contains(&format!("@Q{number}@\n")))
    );
    assert_eq!(up.to_dot().matches(" -> f0 ").count(), 21);
    assert_eq!(
        serde_json::to_value(up.data()).unwrap()["families"][0]["partners"].as_array().unwrap().len(),
        21
    );
    let down = tree(&records, "P3", TreeOptions::default());
    assert_eq!((down.person_count(), down.left_out()), (23, 0));
    assert_eq!(down.to_text(None).matches('⚭').count(), 20, "{}", down.to_text(None));
}

#[test]
fn a_family_met_again_takes_linear_time() {
    // Each of the children has each of the parents, and they all have one child.
    let mut records = String::from("0 @C@ INDI\n0 @F@ FAM\n1 CHIL @C@\n");
    let many = 3000;
    (0..many).for_each(|number| records.push_str(&format!("1 HUSB @M{number}@\n")));
    records.push_str("0 @G@ FAM\n");
    (0..many).for_each(|number| records.push_str(&format!("1 HUSB @N{number}@\n1 CHIL @M{number}@\n")));
    (0..many).for_each(|number| records.push_str(&format!("0 @M{number}@ INDI\n0 @N{number}@ INDI\n")));
    let options = TreeOptions::default().with_up(u32::MAX).with_down(u32::MAX).with_most(usize::MAX);
    let lineage = lineage(&records);
    for of in ["C", "M7", "N9"] {
        let tree = FamilyTree::of(lineage.find_person(of).unwrap(), &options);
        assert_eq!(tree.left_out(), 0);
        assert!(tree.to_text(None).lines().count() < 20 * many, "{of}");
        let svg = tree.to_svg(&SvgOptions::default());
        assert!(svg.len() < 5_000 * many && (of == "M7" || svg.contains('…')), "{of}");
    }
}

#[test]
fn what_hangs_on_an_ancestor_who_is_a_descendant_is_drawn() {
    // Leaf is a child of Top, who is a child of Root and a parent of Root.
    let records = "0 @I1@ INDI\n1 NAME Root\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n1 CHIL @I3@\n0 @I2@ INDI\n\
        1 NAME Top\n0 @F2@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n0 @I3@ INDI\n1 NAME Leaf";
    let expected = "Ancestors of Root\n\n   ┌─ Root @I1@ → 1\n┌─ [2] Top @I2@\n│  └─ ?\n[1] Root @I1@\n└─ ?\n\n\
        Descendants of Root\n\n[1] Root @I1@\n⚭\n└─ Top @I2@ → 2\n   ⚭\n   ├─ Root @I1@ → 1\n   └─ Leaf @I3@\n";
    assert_eq!(text(records, "I1"), expected);
    let near = TreeOptions::default().with_up(1).with_down(1);
    let expected = "Descendants of Root\n\nRoot @I1@\n⚭\n└─ Top @I2@ → 1 …\n";
    let drawn = tree(records, "I1", near).to_text(None);
    assert!(drawn.ends_with(expected), "{drawn}");
    assert_eq!(titles(&tree(records, "I1", TreeOptions::default()).to_svg(&SvgOptions::default())).len(), 9);
}

#[test]
fn long_names_are_whole_where_there_is_room() {
    let long = "Philippus Aureolus Theophrastus Bombastus ".repeat(3);
    let file = format!(
        "0 HEAD\n0 @I1@ INDI\n1 NAME {long}/Hohenheim/\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Anna\n\
        0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n0 TRLR\n"
    );
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).unwrap();
    let mut builder = LineageBuilder::default();
    builder.take(LineageReader::new(typed.schema()).with_whole_names().read(&typed));
    let lineage = builder.build();
    let tree = FamilyTree::of(lineage.find_person("I2").unwrap(), &TreeOptions::default());
    let whole = format!("{long}Hohenheim");
    assert_eq!(titles(&tree.to_svg(&SvgOptions::default()))[2], format!("⚭, {whole} (@I1@)"));
    assert!(tree.to_text(None).contains(&whole) && !tree.to_text(Some(80)).contains(&whole));
    let dot = tree.to_dot();
    assert!(dot.contains(&format!("…\", tooltip = \"{whole}\"];\n")), "{dot}");
    assert_eq!(serde_json::to_value(tree.data()).unwrap()["persons"][1]["name"], whole);
}

#[test]
fn a_picture_has_a_title_and_a_legend_of_what_is_in_it() {
    let tree = tree(FAMILY, "I1", TreeOptions::default());
    let svg = tree.to_svg(&SvgOptions::default());
    for words in [
        ">Family tree of Ada King</text>",
        ">1 generation of ancestors and 2 generations of descendants, 7 people</text>",
        ">male</text>",
        ">sex not known</text>",
        ">adopted</text>",
        ">⚭ married</text>",
        ">bur = buried</text>",
    ] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    assert!(!svg.contains("foster child"), "{svg}");
    let titled = tree.to_svg(&SvgOptions::default().with_title(Some("The <Kings>".to_owned())));
    assert!(titled.contains(">The &lt;Kings&gt;</text>"), "{titled}");
    let bare = tree.to_svg(&SvgOptions::default().with_words(false));
    assert!(!bare.contains("Family tree of Ada King</text>") && !bare.contains(">male</text>"), "{bare}");
}

#[test]
fn a_person_without_a_name_has_none_and_repeated_names_are_whole() {
    let records = "0 @I1@ INDI\n1 NAME Child\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I3@\n1 CHIL @I1@\n0 @I2@ INDI\n\
        1 NAME Father\n0 @I3@ INDI\n0 @F2@ FAM\n1 HUSB @I4@\n1 CHIL @I2@\n1 CHIL @I3@\n\
        0 @I4@ INDI\n1 NAME Philippus Theophrastus /von Hohenheim/";
    let tree = tree(records, "I1", TreeOptions::default());
    let svg = tree.to_svg(&SvgOptions::default());
    assert!(svg.contains(">(no name)</text>") && !svg.contains(">@I3@</text>"), "{svg}");
    assert_eq!(svg.matches("Hohenheim</text>").count(), 2, "{svg}");
    assert!(tree.to_text(None).contains("(no name) @I3@"));
}

#[test]
fn a_bold_name_stays_in_its_box() {
    let records = "0 @I1@ INDI\n1 NAME WILHELMINA MAMMMMM WWWWWW /MMMMMM/\n0 @I2@ INDI\n1 NAME Al\n\
        0 @F1@ FAM\n1 WIFE @I1@\n1 CHIL @I2@";
    let svg = tree(records, "I1", TreeOptions::default()).to_svg(&SvgOptions::default());
    let document = roxmltree::Document::parse(&svg).unwrap();
    let root =
        document.descendants().find(|node| node.attribute("class") == Some("box person root")).unwrap();
    let width: f64 = root.descendants().find_map(|node| node.attribute("width")).unwrap().parse().unwrap();
    for line in root.descendants().filter(|node| node.attribute("class") == Some("name")) {
        // Each letter of DejaVu Sans Bold takes at most 1.1 sizes of the type; of these, hardly one is narrow.
        let letters = line.text().unwrap().chars().filter(|char| "MW".contains(*char)).count();
        assert!(letters as f64 * 1.1 * 12.0 < width, "{line:?}");
    }
}

#[test]
fn a_large_tree_is_divided_into_pages() {
    let mut records = String::from("0 @I1@ INDI\n1 NAME Root\n");
    for number in 2..200 {
        records.push_str(&format!(
            "0 @I{number}@ INDI\n1 NAME Child {number}\n0 @F{number}@ FAM\n1 HUSB @I1@\n1 CHIL @I{number}@\n"
        ));
    }
    let tree = tree(&records, "I1", TreeOptions::default());
    let options = SvgOptions::default().with_page(Some(PageSize::A4));
    let pages = tree.to_svg_pages(&options);
    assert!(pages.len() > 3, "{}", pages.len());
    for (at, page) in pages.iter().enumerate() {
        titles(page);
        assert!(page.contains(&format!("Page {} of {}", at + 1, pages.len())), "{page}");
        assert!(page.contains("width=\"210mm\"") != page.contains("width=\"297mm\""), "{page}");
    }
    let all = pages.concat();
    assert!((2..200).all(|number| all.contains(&format!(">Child {number}</text>"))));
    let one = tree.to_svg(&options);
    assert_eq!(one.matches("Page ").count(), pages.len());
    assert!(
        one.contains("@page { size: 210mm 297mm; margin: 0; }") || one.contains("@page { size: 297mm 210mm")
    );
    // A small tree is one page, without a number.
    let small = self::tree(FAMILY, "I1", TreeOptions::default()).to_svg_pages(&options);
    assert!(small.len() == 1 && !small[0].contains("Page 1"));
}

#[test]
fn a_fan_has_the_father_left_of_the_mother() {
    let options = TreeOptions::default().with_up(FAN_GENERATIONS).with_down(0);
    let tree = tree(FAMILY, "I3", options);
    let svg = tree.to_svg(&SvgOptions::default().with_layout(Layout::Fan));
    assert_eq!(titles(&svg)[0], "Ancestors of Byron King");
    let places =
        ["Byron King (*", "William King, †", "Ada King", "George"].map(|name| svg.find(name).unwrap_or(0));
    assert!(!svg.contains("Anne"), "{svg}");
    assert!(svg.contains("textPath") && places[1] < places[2], "{places:?}");
}

#[test]
fn a_disproven_parent_is_called_so() {
    let records = "0 @I1@ INDI\n1 NAME Ada\n1 FAMC @F1@\n2 STAT disproven\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n\
        0 @I2@ INDI\n1 NAME Otto";
    assert!(text(records, "I1").contains("┌─ Otto @I2@, disproven\n"), "{}", text(records, "I1"));
    assert!(text(records, "I2").contains("└─ Ada @I1@, disproven\n"), "{}", text(records, "I2"));
    let data = serde_json::to_string(&tree(records, "I1", TreeOptions::default()).data()).unwrap();
    assert!(data.contains(r#""children":[{"person":1,"tie":"disproven"}]"#), "{data}");
}

#[test]
fn a_partner_who_is_left_out_is_not_unknown() {
    let tree = tree(FAMILY, "I1", TreeOptions::default().with_most(3));
    let drawn = tree.to_text(None);
    assert!(drawn.contains("⚭ 1835 …\n") && !drawn.contains("⚭ ?"), "{drawn}");
}

#[test]
fn a_parent_behind_many_partners_has_the_tie_of_its_role() {
    let mut records = String::from(
        "0 @C@ INDI\n1 NAME Child\n1 FAMC @F@\n0 @M@ INDI\n1 NAME Mother\n1 FAMS @F@\n0 @F@ FAM\n1 CHIL @C@\n\
         2 _FREL Natural\n2 _MREL Adopted\n",
    );
    let mut people = String::new();
    for number in 0..12 {
        records.push_str(&format!("1 HUSB @P{number}@\n"));
        people.push_str(&format!("0 @P{number}@ INDI\n1 NAME Partner {number}\n"));
    }
    let text = text(&format!("{records}1 WIFE @M@\n{people}").replace("\n0 TRLR", ""), "M");
    assert!(text.contains("Child @C@, adopted"), "{text}");
}
