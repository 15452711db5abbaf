//! A service that checks a GEDCOM file while it is uploaded: `cargo run`, then
//! `curl --data-binary @FILE http://127.0.0.1:3000/check`.
//!
//! The body is read as it arrives, in memory that grows with its identifiers and its longest record only,
//! and the schemas that its header refers to are fetched before its first record is read. A service that
//! strangers reach should limit the size of a body, too.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Router, routing::post};
use elf_schema::source::StreamStart;
use elf_schema::source::http::{Fetcher, Limits};
use elf_schema::{BoundedFindings, Options, ReadOptions, Reader, Rules};
use futures_util::TryStreamExt;
use std::error::Error;
use std::io::{self, Read};
use tokio::runtime::Handle;
use tokio_util::io::{StreamReader, SyncIoBridge};

/// The number of findings that are enough: then the rest of the body is not read.
const ENOUGH: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let app = app(Fetcher::new(Limits::default())?);
    tokio::runtime::Runtime::new()?.block_on(async {
        axum::serve(tokio::net::TcpListener::bind("127.0.0.1:3000").await?, app).await?;
        Ok(())
    })
}

fn app(fetcher: Fetcher) -> Router {
    Router::new().route("/check", post(check)).with_state(fetcher)
}

async fn check(State(fetcher): State<Fetcher>, body: Body) -> Result<String, (StatusCode, String)> {
    let body = StreamReader::new(body.into_data_stream().map_err(io::Error::other));
    let (body, runtime) = (SyncIoBridge::new(body), Handle::current());
    let found = tokio::task::spawn_blocking(move || findings(body, &fetcher, &runtime)).await;
    let failed = |error: &dyn Error| (StatusCode::BAD_REQUEST, error.to_string());
    Ok(found.map_err(|error| failed(&error))?.map_err(|error| failed(&error))?.join("\n"))
}

fn findings(body: impl Read, fetcher: &Fetcher, runtime: &Handle) -> io::Result<Vec<String>> {
    let start = StreamStart::read(body, &Rules::WILD, &Options::default())?;
    let (supplied, _) = runtime.block_on(fetcher.fetch_all(start.wanted(), &mut ()));
    let options = ReadOptions::default().with_external(&supplied);
    let mut reader = Reader::new(start.into_input(), &Rules::WILD, options);
    let mut found = BoundedFindings::new(ENOUGH);
    while reader.next_run(&mut found)?.is_some() {}
    Ok(found.findings.iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_schema::source::http::reqwest;

    fn answer(body: Vec<u8>) -> (u16, String) {
        let _ = rustls::crypto::ring::default_provider().install_default();
        tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
            let fetcher = Fetcher::new(Limits::default()).expect("a fetcher");
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = format!("http://{}/check", listener.local_addr().expect("an address"));
            tokio::spawn(axum::serve(listener, app(fetcher)).into_future());
            let client = reqwest::Client::builder().no_proxy().build().expect("a client");
            let answer = client.post(address).body(body).send().await.expect("an answer");
            (answer.status().as_u16(), answer.text().await.expect("a text"))
        })
    }

    #[test]
    fn an_upload_is_checked() {
        let (status, found) = answer(b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMS @F1@\n0 TRLR\n".to_vec());
        assert_eq!(status, 200);
        assert!(found.contains("F1") && found.lines().count() == 1, "{found}");
    }

    #[test]
    fn a_bad_one_is_answered_with_enough() {
        let (status, found) =
            answer([b"0 HEAD\n1 CHAR UTF-8\n".as_slice(), &b"junk\n".repeat(9000)].concat());
        assert_eq!((status, found.lines().count()), (200, ENOUGH));
    }
}
