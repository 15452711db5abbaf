"""A made-up tree of any size: couples with children, generation after generation, with notes, sources and places."""

GIVEN = ["Anna", "Karl", "Maria", "Johann", "Clara", "Georg", "Elise", "Paul", "Rosa", "Heinrich", "Ida", "Otto"]
SURNAMES = ["Berg", "Lind", "Stern", "Vogel", "Brandt", "Keller", "Moser", "Huber", "Falk", "Roth", "Wirth", "Sommer"]
PLACES = ["Wien", "Graz", "Linz", "Salzburg", "Innsbruck", "Klagenfurt", "Bregenz", "Eisenstadt"]
CHILDREN = 3


def big_tree(people: int, first_year: int = 1500, generation: int = 30) -> bytes:
    """Returns a file with so many people. The latest may be living: 7 of 100 in a file of 100,000."""
    families = (people - 2) // (CHILDREN + 1)
    lines = ["0 HEAD", "1 SOUR made-up", "1 GEDC", "2 VERS 5.5.1", "2 FORM LINEAGE-LINKED", "1 CHAR UTF-8"]
    born, year, partner_of, child_of = {}, {}, {}, {}
    order = [1, 2]
    born[1] = born[2] = first_year
    next_person, family, waiting = 3, 0, [(1, 2)]
    couples = []
    while next_person + CHILDREN <= people and waiting:
        husband, wife = waiting.pop(0)
        family += 1
        children = []
        for at in range(CHILDREN):
            child = next_person
            next_person += 1
            born[child] = min(born[husband] + generation + 2 * at, 2024)
            child_of[child] = family
            children.append(child)
            order.append(child)
            if next_person <= people and at < 2:
                spouse = next_person
                next_person += 1
                born[spouse] = born[child]
                order.append(spouse)
                waiting.append((child, spouse) if child % 2 else (spouse, child))
        partner_of.setdefault(husband, []).append(family)
        partner_of.setdefault(wife, []).append(family)
        couples.append((husband, wife, children))
    sources = max(1, people // 200)
    for person in order:
        birth = born[person]
        name = f"{GIVEN[person * 7 % 12]} {GIVEN[person * 5 % 11]} /{SURNAMES[person // 3 % 12]}{person % 97}/"
        lines += [f"0 @I{person}@ INDI", f"1 NAME {name}", f"1 SEX {'M' if person % 2 else 'F'}", "1 BIRT"]
        lines += [f"2 DATE {person % 28 + 1} MAR {birth}", f"2 PLAC {PLACES[person % 8]}, Bezirk {person % 500}"]
        lines += [f"2 SOUR @S{person % sources + 1}@", f"3 PAGE folio {person}"]
        if birth < 1990:
            lines += ["1 DEAT", f"2 DATE {person % 28 + 1} OCT {birth + 40 + person % 40}", f"2 PLAC {PLACES[person % 7]}"]
        if person % 3 == 0:
            lines += ["1 OCCU Miller", f"1 NOTE Note {person}: seen in the register of {PLACES[person % 8]},", "2 CONT second line"]
        lines += [f"1 FAMC @F{child_of[person]}@"] if person in child_of else []
        lines += [f"1 FAMS @F{one}@" for one in partner_of.get(person, [])]
    for number, (husband, wife, children) in enumerate(couples, 1):
        lines += [f"0 @F{number}@ FAM", f"1 HUSB @I{husband}@", f"1 WIFE @I{wife}@"]
        lines += [f"1 CHIL @I{child}@" for child in children]
        lines += ["1 MARR", f"2 DATE {born[husband] + 25}", f"2 PLAC {PLACES[number % 8]}"]
    for source in range(1, sources + 1):
        lines += [f"0 @S{source}@ SOUR", f"1 TITL Parish register {source}"]
    return ("\n".join(lines) + "\n0 TRLR\n").encode()


if __name__ == "__main__":
    import sys

    sys.stdout.buffer.write(big_tree(int(sys.argv[1])))
