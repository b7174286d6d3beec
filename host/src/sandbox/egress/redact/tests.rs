use super::*;
use http_body_util::BodyExt;
use std::collections::VecDeque;

/// A key that begins with its own beginning again, so that a search that starts over too late misses it.
const KEY: &str = "eyJeyJeyXeyJ";
const STARS: &str = "[redacted]**";

/// Frames, one a poll.
struct Frames(VecDeque<Result<Frame<Bytes>, Error>>);

impl Body for Frames {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Poll::Ready(self.0.pop_front())
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().flatten().filter_map(Frame::data_ref).map(|data| data.len() as u64).sum())
    }
}

fn data(text: &[u8]) -> Result<Frame<Bytes>, Error> {
    Ok(Frame::data(Bytes::copy_from_slice(text)))
}

fn redacted(frames: impl IntoIterator<Item = Result<Frame<Bytes>, Error>>) -> Redacted {
    Redaction::new(KEY).unwrap().body(Frames(frames.into_iter().collect()).boxed_unsync())
}

/// All data, whether it ended well, and the trailers; on the way the hint must hold.
async fn read(mut body: Redacted) -> (String, bool, HeaderMap) {
    let (mut text, mut trailers) = (Vec::new(), HeaderMap::new());
    let length = body.size_hint().exact().unwrap();
    let whole = loop {
        assert_eq!(body.size_hint().exact(), Some(length - text.len() as u64), "after {text:?}");
        match body.frame().await {
            None => break true,
            Some(Err(_)) => break false,
            Some(Ok(frame)) if frame.is_data() => {
                let data = frame.into_data().unwrap();
                assert!(!data.is_empty());
                text.extend_from_slice(&data);
            }
            Some(Ok(frame)) => trailers = frame.into_trailers().unwrap(),
        }
    };
    assert!(!whole || body.is_end_stream());
    (String::from_utf8(text).unwrap(), whole, trailers)
}

fn texts() -> Vec<String> {
    let half = &KEY[..6];
    vec![
        KEY.to_owned(),
        format!("{{\"authorization\":\"Bearer {KEY}\"}}"),
        format!("{KEY}{KEY}"),
        format!("{half}{KEY}{half}"),
        format!("eyJ{KEY} and {KEY}e"),
        format!("eyJeyJ{KEY}"),
        format!("x{}", &KEY[..KEY.len() - 1]),
        format!("{}x", &KEY[1..]),
        "[redacted]".to_owned(),
        String::new(),
        "nothing of it".to_owned(),
    ]
}

#[tokio::test]
async fn wherever_the_frames_split() {
    for text in texts() {
        let want = text.replace(KEY, STARS);
        assert_eq!(want.len(), text.len());
        let bytes = text.as_bytes();
        let single = bytes.chunks(1).map(data);
        assert_eq!(read(redacted(single)).await, (want.clone(), true, HeaderMap::new()), "{text} byte by byte");
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let frames = [data(&bytes[..first]), data(&bytes[first..second]), data(&bytes[second..])];
                let got = read(redacted(frames)).await;
                assert_eq!(got, (want.clone(), true, HeaderMap::new()), "{text} at {first} and {second}");
            }
        }
    }
}

#[tokio::test]
async fn half_a_key_at_the_end_is_handed_over_before_the_end_and_before_an_error() {
    let half = &KEY.as_bytes()[..6];
    assert_eq!(read(redacted([data(half)])).await.0, "eyJeyJ");
    let broken = read(redacted([data(b"a"), data(half), Err(Error::HttpResponseIncomplete)])).await;
    assert_eq!((broken.0.as_str(), broken.1), ("aeyJeyJ", false));
}

#[tokio::test]
async fn trailers_and_headers_are_redacted_too() {
    let mut headers = HeaderMap::new();
    for value in [format!("Bearer {KEY}"), "plain".into(), format!("{KEY},{KEY}")] {
        headers.append("x-debug", value.parse().unwrap());
    }
    headers.append("x-bytes", HeaderValue::from_bytes(format!("\u{e9}{KEY}").as_bytes()).unwrap());
    let got = read(redacted([data(&KEY.as_bytes()[..3]), Ok(Frame::trailers(headers.clone()))])).await;
    assert_eq!(got.0, "eyJ");
    Redaction::new(KEY).unwrap().headers(&mut headers);
    assert_eq!(got.2, headers);
    let values: Vec<&[u8]> = headers.values().map(HeaderValue::as_bytes).collect();
    let want = [format!("Bearer {STARS}"), "plain".into(), format!("{STARS},{STARS}"), format!("\u{e9}{STARS}")];
    assert_eq!(values, want.each_ref().map(|text| text.as_bytes()));
}

#[tokio::test]
async fn a_frame_without_a_trace_of_it_is_passed_on_as_it_is() {
    let text = Bytes::from_static(b"nothing of it");
    let mut body = redacted([Ok(Frame::data(text.clone()))]);
    let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(frame.as_ptr(), text.as_ptr());
}

#[test]
fn a_key_no_longer_than_a_word_is_left_alone() {
    assert!(Redaction::new("the-key").is_none() && Redaction::new("").is_none());
    assert!(Redaction::new("0123456789").is_some_and(|redaction| &*redaction.stars == MARK));
}
