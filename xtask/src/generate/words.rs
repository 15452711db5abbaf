//! The words of the generated families. All are invented or everyday words; no real person is meant.

/// The names and places of one region.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub(super) men: &'static [&'static str],
    pub(super) women: &'static [&'static str],
    pub(super) surnames: &'static [&'static str],
    pub(super) places: &'static [&'static str],
}

/// The region in which half of all clans live.
pub(super) const ENGLISH: Region = Region {
    men: &["William", "John", "Thomas", "George", "James", "Henry", "Robert", "Edward", "Samuel", "Arthur"],
    women: &["Mary", "Elizabeth", "Anne", "Sarah", "Jane", "Margaret", "Alice", "Ellen", "Martha", "Harriet"],
    surnames: &[
        "Ashcombe",
        "Birtwell",
        "Carrow",
        "Dunnick",
        "Elmsley",
        "Fenwright",
        "Garside",
        "Holbeck",
        "Kelsall",
        "Lathbury",
        "Mossop",
        "Oakden",
        "Prestwood",
        "Tillotson",
        "Wadsley",
    ],
    places: &[
        "Haworth, Yorkshire, England",
        "Bath, Somerset, England",
        "Ludlow, Shropshire, England",
        "Lewes, Sussex, England",
        "Whitby, Yorkshire, England",
        "Boston, Suffolk, Massachusetts, USA",
        "Albany, New York, USA",
        "Salem, Essex, Massachusetts, USA",
    ],
};

pub(super) const REGIONS: &[Region] = &[
    ENGLISH,
    Region {
        men: &[
            "Johann",
            "Georg",
            "Jörg",
            "Friedrich",
            "Günther",
            "Matthäus",
            "Karl",
            "Jakob",
            "Andreas",
            "Götz",
        ],
        women: &[
            "Anna",
            "Käthe",
            "Barbara",
            "Margarethe",
            "Sophie",
            "Bärbel",
            "Christine",
            "Rösle",
            "Marie",
            "Eva",
        ],
        surnames: &[
            "Müller",
            "Schäfer",
            "Größler",
            "Köstlin",
            "Brenner",
            "Hägele",
            "Weiß",
            "Vollmer",
            "Stühler",
            "Rauch",
            "Öhler",
            "Zimmerle",
        ],
        places: &[
            "Dornhan, Freudenstadt, Württemberg, Germany",
            "Tübingen, Württemberg, Germany",
            "Nördlingen, Schwaben, Bayern, Germany",
            "Münster, Westfalen, Germany",
            "Zürich, Switzerland",
            "Graz, Steiermark, Austria",
        ],
    },
    Region {
        men: &[
            "Étienne",
            "Jean",
            "François",
            "Rémi",
            "Louis",
            "Théophile",
            "Benoît",
            "Gaël",
            "Noël",
            "Pierre",
        ],
        women: &[
            "Élise",
            "Marie",
            "Zoé",
            "Agnès",
            "Françoise",
            "Hélène",
            "Geneviève",
            "Maëlle",
            "Louise",
            "Chloé",
        ],
        surnames: &[
            "Lefèvre",
            "Beauchêne",
            "Charpentier",
            "Dubosc",
            "Gaillard",
            "Hébert",
            "Maréchal",
            "Péronne",
            "Rivière",
            "Tréguer",
        ],
        places: &[
            "Besançon, Doubs, France",
            "Saint-Lô, Manche, France",
            "Béziers, Hérault, France",
            "Montréal, Québec, Canada",
            "Orléans, Loiret, France",
        ],
    },
    Region {
        men: &["Øyvind", "Bjørn", "Søren", "Håkon", "Nils", "Torbjörn", "Åke", "Gustav", "Jón", "Þórður"],
        women: &[
            "Åse", "Sigrid", "Märta", "Guðrún", "Kirsten", "Bodil", "Ragnhild", "Solveig", "Ása", "Inger",
        ],
        surnames: &[
            "Ødegård",
            "Lindström",
            "Nørgaard",
            "Sjöberg",
            "Tveit",
            "Åkesson",
            "Bråten",
            "Dahl",
            "Hübinette",
        ],
        places: &[
            "Trondheim, Sør-Trøndelag, Norway",
            "Växjö, Kronoberg, Sweden",
            "Ærøskøbing, Fyn, Denmark",
            "Ísafjörður, Iceland",
        ],
    },
    Region {
        men: &["Wojciech", "Stanisław", "Łukasz", "Jiří", "Ondřej", "Květoslav", "Józef", "Błażej"],
        women: &["Zofia", "Małgorzata", "Božena", "Růžena", "Jadwiga", "Kateřina", "Łucja", "Żaneta"],
        surnames: &["Wójcik", "Żebrowski", "Dvořák", "Šťastný", "Śliwa", "Krąż", "Černý", "Gołąb"],
        places: &[
            "Łódź, Poland",
            "Kraków, Małopolska, Poland",
            "Plzeň, Bohemia",
            "Žďár nad Sázavou, Moravia",
        ],
    },
    Region {
        men: &["Иван", "Пётр", "Алексей", "Γεώργιος", "Νικόλαος", "Степан"],
        women: &["Мария", "Анна", "Ольга", "Ελένη", "Σοφία", "Дарья"],
        surnames: &["Берёзкин", "Ковалёв", "Σταύρου", "Полянский", "Καραλής"],
        places: &["Тула, Россия", "Θεσσαλονίκη, Ελλάδα", "Одесса, Херсонская губерния"],
    },
];

pub(super) const OCCUPATIONS: &[&str] = &[
    "Farmer",
    "Carpenter",
    "Schoolmaster",
    "Weaver",
    "Blacksmith",
    "Miller",
    "Seamstress",
    "Clerk",
    "Mason",
    "Shoemaker",
    "Innkeeper",
    "Cooper",
    "Gardener",
    "Railway guard",
    "Bäckermeister",
    "Vigneron",
    "Fisker",
];

pub(super) const CAUSES: &[&str] =
    &["Fever", "Old age", "Consumption", "Accident at the mill", "Influenza", "Drowned", "Pneumonia"];

pub(super) const RELATIONS: &[&str] =
    &["Godfather", "Godmother", "Witness", "Executor", "Guardian", "Neighbour"];

pub(super) const MONTHS: &[&str] =
    &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// Kinds of books, for the titles of sources.
pub(super) const BOOKS: &[&str] = &[
    "Parish register of baptisms",
    "Parish register of marriages",
    "Census returns",
    "Probate calendar",
    "Family letters",
    "Land tax assessments",
    "Passenger lists",
    "Kirchenbuch",
    "Registre paroissial",
    "Burial ground plan",
];

pub(super) const ARCHIVES: &[&str] = &[
    "County Record Office",
    "Diocesan Archive",
    "National Archive",
    "City Library",
    "Stadtarchiv",
    "Archives départementales",
    "Landsarkiv",
];

/// Sentences for notes. `%n` stands for a name, `%p` for a place, `%y` for a year.
pub(super) const SENTENCES: &[&str] = &[
    "The family moved to %p in %y, after the harvest had failed for the second time.",
    "According to a letter of %y, %n kept the accounts of the mill and taught the younger children to read.",
    "No record of the baptism has been found; the year is reckoned from the age given in the census of %y.",
    "The house in %p stood until %y and is shown on the tithe map.",
    "%n is named as a witness in several deeds, always with the same uncertain hand.",
    "A silver spoon engraved with the initials is still in the possession of %n.",
    "The spelling of the surname changes from one register to the next, sometimes within a single page.",
    "In %y the estate was divided among the surviving children, as the will of %n had asked.",
    "Compare the entry for %p, where the same event is dated a week later.",
    "Family tradition says that %n walked from %p to the coast, but nothing in the records supports it.",
    "The photograph is not dated; the dress suggests about %y.",
    "Correspondence: write to archive@@example.org and ask for the bundle of %y.",
    "Transcribed from microfilm, the left edge of which is too dark to read.",
    "Two men of this name lived in %p at the time, and older compilations have mixed them up.",
];
