"""Peers in Python: `PEER read FILE` prints the names of people and the diagnostics as JSON, `PEER save FILE OUT` reads a
file and writes it again. A peer that cannot read a file raises."""

import io
import json
import logging
import sys
import warnings


def show(names, diagnostics):
    print(json.dumps({"names": names, "diagnostics": diagnostics}))


def ged4py_read(path):
    from ged4py.parser import GedcomReader

    log = io.StringIO()
    logging.basicConfig(stream=log, level=logging.WARNING)
    names = []
    with GedcomReader(path) as reader:
        for person in reader.records0("INDI"):
            for name in person.sub_tags("NAME"):
                names.append(" ".join(part for part in name.value if part))
    show(names, log.getvalue().splitlines())


def fastgedcom_read(path):
    document, found = fastgedcom_parse(path)
    show([name.payload for person in document.get_records("INDI") for name in person >> "NAME"], [repr(one) for one in found])


def fastgedcom_parse(path):
    from fastgedcom.parser import guess_encoding, parse

    with open(path, encoding=guess_encoding(path), newline="") as file:
        return parse(file)


def fastgedcom_save(path, out):
    from fastgedcom.parser import guess_encoding

    document, _ = fastgedcom_parse(path)
    with open(out, "w", encoding=guess_encoding(path), newline="") as file:
        file.write(document.get_source())


def python_gedcom_parse(path):
    from gedcom.parser import Parser

    parser = Parser()
    parser.parse_file(path, False)
    return parser


def python_gedcom_read(path):
    people = [one for one in python_gedcom_parse(path).get_root_child_elements() if one.get_tag() == "INDI"]
    names = [name.get_value() for person in people for name in person.get_child_elements() if name.get_tag() == "NAME"]
    # Its strict mode says where a file violates the grammar.
    from gedcom.parser import Parser

    try:
        Parser().parse_file(path, True)
        show(names, [])
    except Exception as error:
        show(names, [str(error)])


def python_gedcom_save(path, out):
    with open(out, "w", encoding="utf-8") as file:
        python_gedcom_parse(path).save_gedcom(file)


def python_gedcom_names(path):
    people = [one for one in python_gedcom_parse(path).get_root_child_elements() if one.get_tag() == "INDI"]
    show([name.get_value() for person in people for name in person.get_child_elements() if name.get_tag() == "NAME"], [])


def gedcomkit_names(path):
    import gedcomkit

    with open(path, "rb") as file:
        gedcom = gedcomkit.Gedcom.parse(file.read())
    show([name["original"] for person in gedcom.individuals() for name in person["names"]], [])


def gedcomkit_read(path):
    import gedcomkit

    with open(path, "rb") as file:
        gedcom = gedcomkit.Gedcom.parse(file.read())
    people = [record for record in gedcom.records() if record["tag"] == "INDI"]
    names = [name["value"] for person in people for name in person["structures"] if name["tag"] == "NAME"]
    show(names, [json.dumps(one) for one in gedcom.validate()])


def gedcomkit_save(path, out):
    import gedcomkit

    with open(path, "rb") as file:
        gedcom = gedcomkit.Gedcom.parse(file.read())
    with open(out, "wb") as file:
        file.write(gedcom.to_bytes())


def gedcom7_read(path):
    import gedcom7

    with open(path, "rb") as file:
        records = gedcom7.load(file)
    people = [record for record in records if record.tag == "INDI"]
    names = [name.text for person in people for name in person.children if name.tag == "NAME"]
    show(names, [str(one) for one in gedcom7.validate(records)])


def gedcom7_names(path):
    import gedcom7

    with open(path, "rb") as file:
        people = [record for record in gedcom7.load(file) if record.tag == "INDI"]
    show([name.text for person in people for name in person.children if name.tag == "NAME"], [])


def gedcom7_save(path, out):
    import gedcom7

    with open(path, "rb") as file:
        data = file.read()
    records = gedcom7.load(io.BytesIO(data))
    with open(out, "wb") as file:
        line_ending = "\r\n" if b"\r\n" in data else "\n"
        gedcom7.dump(records, file, line_terminator=line_ending, byte_order_mark=data.startswith(b"\xef\xbb\xbf"))


warnings.simplefilter("ignore")
peer, task, *arguments = sys.argv[1:]
globals()[f"{peer.replace('-', '_')}_{task}"](*arguments)
