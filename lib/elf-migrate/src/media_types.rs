//! The media types of file formats, by the extensions of file names (MG24).
//!
//! The types are those that IANA has registered. A few formats have no registered type, but a type that everybody uses,
//! such as `audio/wav`.

struct Format {
    extension: &'static str,
    media_type: &'static str,
}

const fn format(extension: &'static str, media_type: &'static str) -> Format {
    Format { extension, media_type }
}

/// All formats. If several extensions have the same media type, the first one is written in GEDCOM 5.5.1.
#[rustfmt::skip]
const FORMATS: &[Format] = &[
    // Pictures
    format("jpg", "image/jpeg"), format("jpeg", "image/jpeg"), format("jpe", "image/jpeg"),
    format("jfif", "image/jpeg"),
    format("png", "image/png"),
    format("gif", "image/gif"),
    format("bmp", "image/bmp"), format("dib", "image/bmp"),
    format("tif", "image/tiff"), format("tiff", "image/tiff"),
    format("webp", "image/webp"),
    format("heic", "image/heic"), format("heif", "image/heif"), format("avif", "image/avif"),
    format("jp2", "image/jp2"), format("jpx", "image/jpx"), format("jxl", "image/jxl"),
    format("svg", "image/svg+xml"),
    format("pcx", "image/vnd.zbrush.pcx"),
    format("psd", "image/vnd.adobe.photoshop"),
    format("ico", "image/vnd.microsoft.icon"),
    format("djvu", "image/vnd.djvu"), format("djv", "image/vnd.djvu"),
    format("emf", "image/emf"), format("wmf", "image/wmf"),
    // Sound
    format("mp3", "audio/mpeg"),
    format("wav", "audio/wav"),
    format("m4a", "audio/mp4"),
    format("aac", "audio/aac"),
    format("ogg", "audio/ogg"), format("oga", "audio/ogg"), format("opus", "audio/ogg"),
    format("flac", "audio/flac"),
    format("mka", "audio/matroska"),
    format("mid", "audio/midi"), format("midi", "audio/midi"),
    format("aif", "audio/x-aiff"), format("aiff", "audio/x-aiff"),
    format("wma", "audio/x-ms-wma"),
    format("amr", "audio/AMR"),
    // Films
    format("mp4", "video/mp4"), format("m4v", "video/mp4"),
    format("mov", "video/quicktime"), format("qt", "video/quicktime"),
    format("avi", "video/vnd.avi"),
    format("mpg", "video/mpeg"), format("mpeg", "video/mpeg"), format("mpe", "video/mpeg"),
    format("webm", "video/webm"),
    format("mkv", "video/matroska"),
    format("ogv", "video/ogg"),
    format("3gp", "video/3gpp"), format("3g2", "video/3gpp2"),
    format("wmv", "video/x-ms-wmv"),
    format("flv", "video/x-flv"),
    // Texts
    format("txt", "text/plain"), format("text", "text/plain"),
    format("html", "text/html"), format("htm", "text/html"),
    format("csv", "text/csv"), format("tsv", "text/tab-separated-values"),
    format("md", "text/markdown"),
    format("vcf", "text/vcard"), format("ics", "text/calendar"),
    format("ged", "text/vnd.familysearch.gedcom"),
    // Documents
    format("pdf", "application/pdf"),
    format("doc", "application/msword"),
    format("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    format("xls", "application/vnd.ms-excel"),
    format("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    format("ppt", "application/vnd.ms-powerpoint"),
    format("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    format("pub", "application/vnd.ms-publisher"),
    format("odt", "application/vnd.oasis.opendocument.text"),
    format("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    format("odp", "application/vnd.oasis.opendocument.presentation"),
    format("rtf", "application/rtf"),
    format("wpd", "application/vnd.wordperfect"),
    format("ps", "application/postscript"), format("eps", "application/postscript"),
    format("epub", "application/epub+zip"),
    format("xml", "application/xml"), format("json", "application/json"),
    format("xhtml", "application/xhtml+xml"),
    format("kml", "application/vnd.google-earth.kml+xml"), format("kmz", "application/vnd.google-earth.kmz"),
    format("zip", "application/zip"), format("gz", "application/gzip"), format("rar", "application/vnd.rar"),
    format("gdz", "application/vnd.familysearch.gedcom+zip"),
    format("ole", "application/ole"),
    format("octet-stream", "application/octet-stream"),
];

/// Returns the media type for an extension, with or without its period. Case does not matter.
pub(crate) fn of_extension(extension: &str) -> Option<&'static str> {
    let name = extension.trim();
    let name = name.strip_prefix('.').unwrap_or(name);
    let known = FORMATS.iter().find(|format| format.extension.eq_ignore_ascii_case(name))?;
    Some(known.media_type)
}

pub(crate) fn extension_of(media_type: &str) -> Option<&'static str> {
    let known = FORMATS.iter().find(|format| format.media_type.eq_ignore_ascii_case(media_type))?;
    Some(known.extension)
}
