//! The command line of `cargo xtask generate`.

use super::faults::{self, Fault, FaultPlan};
use super::{Plan, Written, write};
use elf_octets::Encoding;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

const USAGE: &str = "\
usage: cargo xtask generate --megabytes N [OPTIONS]
       cargo xtask generate --faults NAME,… [--megabytes N] [--lines N] [OPTIONS]

  --megabytes N            the size, in millions of octets of UTF-8
  --octets N               the size in octets, instead
  --files N                so many files of about that size, with seeds from S on, in a folder that --output names
  --seed S                 any number; each makes another file (default 1)
  --encoding NAME          UTF-8, ASCII, ANSEL, UTF-16LE or UTF-16BE (default UTF-8)
  --line-break lf|cr|crlf  what ends each line (default lf)
  -o, --output FILE        where to; - is standard output (default -)

One file of faults has one in nearly every line, and is of UTF-8 and lf:

  --faults NAME,…          of level, stray, short, tag, zeros, at-sign, blank, undefined, dangling, repeated,
                           ambiguous, impossible, date, age, long; or `mixed` for all of them in turns
  --lines N                the number of faults; with a size the least
  --in-record N            the number of faults in one record; 0 puts all in one (default 20)

The same options make the same file, octet for octet, on every machine. Large files want `--release`:
cargo run --release -p xtask -- generate --megabytes 100 -o large.ged
";

/// Parses the options and writes the file.
///
/// # Errors
///
/// An invalid option or an error of the output, as a message.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let Some(Request { plan, faults, files, output }) = parse_options(arguments)? else {
        let mut out = io::stdout();
        return out.write_all(USAGE.as_bytes()).map_err(|error| error.to_string());
    };
    let failed = |error: io::Error| format!("{output} cannot be written: {error}");
    if let Some(files) = files {
        let written = write_files(&plan, files, Path::new(&output)).map_err(failed)?;
        print_size(&written);
        return Ok(());
    }
    let mut out: Box<dyn Write> = match output.as_str() {
        "-" => Box::new(io::stdout()),
        path => Box::new(File::create(path).map_err(failed)?),
    };
    let mut buffered = BufWriter::with_capacity(1 << 20, &mut out);
    let written = match &faults {
        Some(faults) => faults::write(faults, &mut buffered),
        None => write(&plan, &mut buffered),
    };
    let written = match written.and_then(|written| buffered.flush().map(|()| written)) {
        // The reader closed the pipe because it has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        other => other.map_err(failed)?,
    };
    print_size(&written);
    Ok(())
}

fn print_size(Written { octets, lines, people }: &Written) {
    eprintln!("{octets} octets in UTF-8, {lines} lines, {people} people");
}

/// The file or files to generate.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    plan: Plan,
    /// The plan of a file of faults, which is generated instead.
    faults: Option<FaultPlan>,
    /// The number of files in a folder, if several are requested.
    files: Option<u64>,
    output: String,
}

/// Parses the options. `None` if help was requested.
fn parse_options(arguments: &[String]) -> Result<Option<Request>, String> {
    let (mut octets, mut files) = (None, None);
    let (mut faults, mut lines, mut in_record) = (None, None, None);
    let mut plan = Plan::new(0, 1);
    let mut output = "-".to_owned();
    let mut arguments = arguments.iter();
    while let Some(option) = arguments.next() {
        if matches!(option.as_str(), "-h" | "--help") {
            return Ok(None);
        }
        let value = arguments.next().ok_or_else(|| format!("expected a value after {option}"))?;
        match option.as_str() {
            "--megabytes" => octets = Some(parse_number(option, value)?.saturating_mul(1_000_000)),
            "--octets" => octets = Some(parse_number(option, value)?),
            "--files" => files = Some(parse_number(option, value)?),
            "--seed" => plan.seed = parse_number(option, value)?,
            "--encoding" => plan.encoding = parse_encoding(value)?,
            "--line-break" => plan.line_break = parse_line_break(value)?,
            "--faults" => faults = Some(parse_faults(value)?),
            "--lines" => lines = Some(parse_number(option, value)?),
            "--in-record" => in_record = Some(parse_number(option, value)?),
            "-o" | "--output" => output.clone_from(value),
            other => return Err(format!("expected an option, but found {other:?}\n\n{USAGE}")),
        }
    }
    let size = octets.or(lines.filter(|_| faults.is_some()).map(|_| 0));
    plan.octets = size.ok_or_else(|| format!("expected --megabytes\n\n{USAGE}"))?;
    let has_form = plan != Plan::new(plan.octets, plan.seed) || files.is_some();
    if faults.is_some() && has_form || faults.is_none() && lines.or(in_record).is_some() {
        return Err(format!("expected options of one kind of file\n\n{USAGE}"));
    }
    let faults = faults.map(|faults| {
        let asked = FaultPlan::new(&faults).octets(plan.octets).lines(lines.unwrap_or(0)).seed(plan.seed);
        match in_record {
            Some(lines) => asked.in_record(Some(lines).filter(|&lines| lines > 0)),
            None => asked,
        }
    });
    if files.is_some() && output == "-" {
        return Err(format!("expected --output and a folder for the files\n\n{USAGE}"));
    }
    Ok(Some(Request { plan, faults, files, output }))
}

/// The number of seeds to try for a file of the requested size.
const TRIES: u32 = 1000;

/// Writes `files` files of about the planned size into a folder. Each uses the next seed that gives this size: a file
/// contains whole clans, most of which are much smaller or larger.
fn write_files(plan: &Plan, files: u64, folder: &Path) -> io::Result<Written> {
    fs::create_dir_all(folder)?;
    let (least, most) = (plan.octets - plan.octets / 8, plan.octets + plan.octets / 8);
    let (mut all, mut seed) = (Written::default(), plan.seed);
    for number in 0..files {
        let (mut file, mut written) = (Vec::new(), Written::default());
        for _ in 0..TRIES {
            file.clear();
            written = write(&Plan { octets: least, seed, ..*plan }, &mut file)?;
            seed = seed.wrapping_add(1);
            if written.octets <= most {
                break;
            }
        }
        fs::write(folder.join(format!("{number:06}.ged")), &file)?;
        all.octets += written.octets;
        all.lines += written.lines;
        all.people += written.people;
    }
    Ok(all)
}

fn parse_faults(names: &str) -> Result<Vec<Fault>, String> {
    if names == "mixed" {
        return Ok(Fault::ALL.iter().map(|(_, fault)| *fault).collect());
    }
    let fault =
        |name: &str| Fault::from_name(name).ok_or_else(|| format!("expected a fault, but found {name:?}"));
    names.split(',').map(fault).collect()
}

fn parse_number(option: &str, value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("expected a number after {option}, but found {value:?}"))
}

fn parse_encoding(name: &str) -> Result<Encoding, String> {
    let named = Encoding::from_name(name).filter(|encoding| encoding.char_name().is_some());
    named.ok_or_else(|| format!("expected an encoding that CHAR has a name for, but found {name:?}"))
}

fn parse_line_break(name: &str) -> Result<&'static str, String> {
    match name {
        "lf" => Ok("\n"),
        "cr" => Ok("\r"),
        "crlf" => Ok("\r\n"),
        other => Err(format!("expected lf, cr or crlf after --line-break, but found {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Option<Request>, String> {
        let arguments: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        parse_options(&arguments)
    }

    #[test]
    fn options_make_a_plan() {
        let plan = Plan::new(3_000_000, 9).line_break("\r\n").encoding(Encoding::Utf16Le);
        assert_eq!(
            parsed("--megabytes 3 --seed 9 --encoding utf-16le --line-break crlf -o a.ged"),
            Ok(Some(Request { plan, faults: None, files: None, output: "a.ged".to_owned() }))
        );
        let (plan, output) = (Plan::new(28_000, 1), "folder".to_owned());
        assert_eq!(
            parsed("--octets 28000 --files 1500 -o folder"),
            Ok(Some(Request { plan, faults: None, files: Some(1500), output }))
        );
        let faults = FaultPlan::new(&[Fault::Level, Fault::AtSign]).lines(5).in_record(None).seed(2);
        let request =
            Request { plan: Plan::new(0, 2), faults: Some(faults), files: None, output: "-".to_owned() };
        assert_eq!(parsed("--faults level,at-sign --seed 2 --lines 5 --in-record 0"), Ok(Some(request)));
        let names = Fault::ALL.iter().map(|(name, _)| *name).collect::<Vec<&str>>().join(",");
        assert!(USAGE.replace([' ', '\n'], "").contains(&names), "the help names all");
        assert_eq!(parsed("--faults mixed --lines 5"), parsed(&format!("--faults {names} --lines 5")));
        assert_eq!(parsed("--help"), Ok(None));
    }

    #[test]
    fn what_is_no_option_is_said() {
        for text in [
            "",
            "--megabytes",
            "--megabytes x",
            "--megabytes 1 --line-break nl",
            "--megabytes 1 --encoding ANSI",
            "--size 1",
            "--faults level",
            "--faults fault --lines 1",
            "--faults level --lines 1 --line-break cr",
            "--faults level --lines 1 --files 2 -o folder",
            "--megabytes 1 --lines 1",
            "--octets 1 --files 2",
        ] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }
}
