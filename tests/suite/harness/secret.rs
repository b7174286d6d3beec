//! The API key that a program was started with must be in nothing that comes out of it: no answer, no line of a log. Whoever
//! reads such output here looks for it, so that every test does.

use base64::{
    Engine,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use memchr::memmem::Finder;
use std::{fs, sync::Arc};

/// A part this long of a key gives it away as well: of a key of Audiobookshelf's, it lies in the signature.
const TELLING: usize = 32;

/// A key in all forms that somebody might find it in. The default is none, which is found nowhere.
#[derive(Clone, Default)]
pub struct Secret(Arc<Vec<(&'static str, Finder<'static>)>>);

impl Secret {
    pub fn new(key: &str) -> Secret {
        let mut forms = vec![("as it is", key.as_bytes().to_vec())];
        if key.len() > 2 * TELLING {
            forms.push(("in part", key.as_bytes()[key.len() - TELLING..].to_vec()));
        }
        // Three texts, depending on how many bytes come before it (`Bearer ` is seven); each without what depends on them.
        for before in 0..3 {
            let text = [vec![b' '; before], key.as_bytes().to_vec()].concat();
            let start = [0, 2, 3][before];
            for encoded in [STANDARD_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(&text)] {
                forms.push(("in base64", encoded.as_bytes()[start..encoded.len() - 1].to_vec()));
            }
        }
        let hex: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
        forms.push(("in hexadecimal", hex.to_uppercase().into_bytes()));
        forms.push(("in hexadecimal", hex.into_bytes()));
        let finders = forms.into_iter().map(|(form, text)| (form, Finder::new(&text).into_owned()));
        Secret(Arc::new(finders.collect()))
    }

    /// Of the settings that a program gets.
    pub fn of(settings: &[(&str, &str)]) -> Secret {
        let set = |wanted| settings.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
        let from_file = || fs::read_to_string(set("AUDIOBOOKSHELF_API_KEY_FILE")?).ok();
        let key = set("AUDIOBOOKSHELF_API_KEY").or_else(|| set("SPIN_VARIABLE_API_KEY"));
        let key = key.map(str::to_owned).or_else(from_file).unwrap_or_default();
        match key.trim() {
            "" => Secret::default(),
            key => Secret::new(key),
        }
    }

    /// In which form it is there.
    pub fn find(&self, bytes: &[u8]) -> Option<&'static str> {
        self.0.iter().find(|(_, finder)| finder.find(bytes).is_some()).map(|(form, _)| *form)
    }

    /// Fails the test that reads it.
    #[track_caller]
    pub fn must_not_be_in(&self, place: &str, bytes: &[u8]) {
        if let Some(form) = self.find(bytes) {
            // Not the bytes: that would be one more place.
            panic!("the API key is in {place}, {form}");
        }
    }
}
