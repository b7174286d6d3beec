//! Ids of the sample library that tests can rely on; everything else has one that derives from these.

// Libraries
/// 37 books.
pub const BOOKS: &str = "f5057fee-4c3e-4459-82dd-21250b729601";
pub const PODCASTS: &str = "f41fcb28-e1ec-4229-9aa5-148c01a8c3f5";
/// A book library without books.
pub const EMPTY: &str = "b7b3ff7b-623d-48df-8cd5-8cc6f137bdc5";

// Users
pub const ROOT: &str = "e52fec14-2d75-4a6a-8584-0f4ce50ee168";
/// May not delete.
pub const ADMIN: &str = "43c243ee-0945-46ce-9f76-663f8330df68";
pub const EDITOR: &str = "d01e13be-235f-461f-8392-3dd14744f3e0";
/// Only the book library, nothing explicit.
pub const KID: &str = "d8aaa1f6-d2b6-41ba-9e97-f5f843c901ee";
/// Only what is tagged `kids`.
pub const TAGGED: &str = "44d09f3d-38c2-4ebb-95ba-b91cd20b52cf";
pub const GUEST: &str = "54dc7651-89f8-46dc-9f93-26be5a7eff0d";
/// May open no library.
pub const NOLIB: &str = "dd75ef1b-a557-4e75-83c8-396ebe77367b";
/// Deactivated.
pub const INACTIVE: &str = "31146644-0f9e-4cd3-a7aa-e4a6ac9448a7";

// Books
pub const PRIDE_AND_PREJUDICE: &str = "b8134e77-a4c9-427d-af6c-72f9b192e0d9";
pub const SENSE_AND_SENSIBILITY: &str = "5372f53f-f952-4fef-8839-5aad5fac0dba";
/// Four narrators.
pub const EMMA: &str = "abda62a8-5732-41ef-8c00-31d8dc083c34";
pub const THREE_MUSKETEERS: &str = "93d544be-eeee-4355-af02-14835508e050";
pub const TWENTY_YEARS_AFTER: &str = "c24d025b-749f-4882-8e29-d80fb9f16842";
pub const VICOMTE_OF_BRAGELONNE: &str = "fa50dad1-f12a-41f0-9a18-19980e199f78";
/// 48 files, 117 chapters' worth; has a cover.
pub const MONTE_CRISTO: &str = "657bf824-c301-4403-be88-c45db5a0e105";
/// In two series.
pub const TWENTY_THOUSAND_LEAGUES: &str = "047e2168-6e50-4ddc-ace8-8f9bcedc842f";
/// In two series as well.
pub const MYSTERIOUS_ISLAND: &str = "0180d5e1-945c-407b-8118-9866d29e6868";
pub const CENTRE_OF_THE_EARTH: &str = "54920444-b948-4159-a8ce-b6fbfc188d19";
pub const EIGHTY_DAYS: &str = "e06b6ca7-cc90-4e10-9a66-c6ae7e790030";
/// 27 chapters; root is in the middle of it.
pub const DRACULA: &str = "0b62aff1-f0a3-417a-aa8f-f4e9e1482dc5";
/// One file with 24 chapters.
pub const FRANKENSTEIN: &str = "085f4bc0-2132-4f32-9747-d1dfafee2375";
/// An e-book and nothing else.
pub const LAST_MAN: &str = "54ef6e27-2222-4d3c-ab6b-0eed339364f8";
pub const STUDY_IN_SCARLET: &str = "40797c0d-b39b-44e9-b624-06a0162ef271";
pub const SIGN_OF_THE_FOUR: &str = "2ccaafae-bea4-4bc0-9d02-ae8d63f96bd0";
pub const ADVENTURES_OF_SHERLOCK_HOLMES: &str = "d36173ae-83cb-4775-a04b-29c4e8a2c121";
pub const MEMOIRS_OF_SHERLOCK_HOLMES: &str = "8a86387f-6757-4342-97d3-c89b151d1f66";
pub const HOUND_OF_THE_BASKERVILLES: &str = "e945af39-de42-48db-bc90-d5c512be0517";
pub const TIME_MACHINE: &str = "483a045e-569f-42a7-98fb-cb36633645b4";
pub const WAR_OF_THE_WORLDS: &str = "fda1e09a-1bcb-4b4f-bc50-0d2b8201010f";
pub const INVISIBLE_MAN: &str = "afe72170-2833-445b-88cf-d026790c080e";
/// Tagged `kids`; finished by root.
pub const ALICE: &str = "dc69c097-d76f-4676-980d-5af781dd4c8d";
/// Tagged `kids`.
pub const LOOKING_GLASS: &str = "77a635ea-7bea-4505-ad66-b1e3bb27675e";
/// Two authors.
pub const GILDED_AGE: &str = "78ad8549-325e-44c6-9508-1262bc684bdd";
/// No author, no year, no narrator, not even a language.
pub const BROADSIDES: &str = "808dcdcd-7ce4-4aba-915b-b3b91a611bbf";
/// Explicit.
pub const FANNY_HILL: &str = "e25d488e-1b88-4cda-ab37-c4834efc09f5";
/// A description of some 70 kB.
pub const ANATOMY_OF_MELANCHOLY: &str = "329ca4bb-0dea-4b15-aced-c7d84e30ba5f";
pub const I_AM_A_CAT: &str = "26399a07-9270-4cdf-9803-1931c0b9f94a";
pub const CRIME_AND_PUNISHMENT: &str = "6fcc435e-da14-4933-96bb-3d51d9b302fc";
/// Its files are gone from the disk.
pub const MISSING_FOLDER: &str = "33340229-3746-4484-ac4c-2759b23ed3c6";
pub const EMOJI_READER: &str = "8388cbba-60c0-40e1-8b3a-a849a667317b";
/// A title of some 500 characters.
pub const LONG_TITLE: &str = "5018c5a3-91f3-46af-94ff-2f9d15565fb4";
/// Title, subtitle, author, narrator, series and description give orders.
pub const INJECTION: &str = "78af5fc2-d1fc-40ed-9303-634bb73bc49e";
/// BEL, ESC, backspace and a line break in its title.
pub const CONTROL_CHARACTERS: &str = "37b08fe0-4ce7-420c-bacc-9e78c2da23f0";
/// Right-to-left override, zero-width characters, U+2028 and U+2029.
pub const BIDI: &str = "38a2aed1-cdca-43dd-9ece-10ce83b1d8a2";
/// HTML, quotes, backslash, backtick, pipe.
pub const MARKUP: &str = "cfe9facc-05ca-46e4-89cd-3f1cbd5cf9f4";

// Podcasts
/// Tagged `kids`; its feed address holds a token.
pub const NIGHT_SKY: &str = "6bcb4e60-568a-4b40-8622-1e36ccbc0789";
pub const PENNY_DREADFUL: &str = "7a3e82ac-64d6-4078-838d-481268345b63";
/// Explicit; its feed address holds a token.
pub const HOSTILE_PODCAST: &str = "6cfe861b-c2c5-411c-82ff-c1d4f9d18a93";

// Episodes
/// Finished by root.
pub const NIGHT_SKY_1: &str = "eb0bdaf6-6848-4701-b8dc-013e088ee5b3";
/// Root is in the middle of it.
pub const NIGHT_SKY_2: &str = "92a1bb2c-d421-475f-b613-903b6167b2c8";
/// Untouched.
pub const NIGHT_SKY_3: &str = "f7ca21d9-0382-4d83-8d7d-f849dfe0eb4a";
/// Untouched.
pub const NIGHT_SKY_4: &str = "2a5067fd-0af8-488c-adab-b39e4a056deb";
pub const PENNY_DREADFUL_1: &str = "995fe164-fe00-4fe9-8615-38b9e14af0e9";
pub const PENNY_DREADFUL_2: &str = "e6a13574-92a1-444f-9a5b-66244f22e077";
pub const PENNY_DREADFUL_3: &str = "936ad1a9-baa6-46a9-b7ef-b7176125ecb7";
pub const HOSTILE_EPISODE: &str = "43366451-0dd2-45f5-925d-40c32138c17c";

// Series
pub const DARTAGNAN: &str = "f1408a61-ceca-466d-b88d-5ac745228d6e";
pub const NEMO: &str = "3e7baf04-1125-4334-ae03-492a069442f6";
pub const VOYAGES: &str = "d2259ed3-5b69-4f3e-8482-3bd1882b9f24";
pub const HOLMES: &str = "9f3083b4-bda4-4120-b829-69974f8b5b68";
pub const WONDERLAND: &str = "938bb136-f4c7-451e-94c7-3257017d2342";
pub const HOSTILE_SERIES: &str = "319ffc5b-eed9-4a17-91fd-c34432ee0b51";

// Authors
pub const AUSTEN: &str = "16406d0b-abe3-4501-97bb-93b7bac0d32d";
pub const DUMAS: &str = "0927a1ef-0a37-4c81-afef-d5b4ce28a129";
pub const VERNE: &str = "0ac9440e-6256-4b35-8820-c0f8a5f6137a";
pub const STOKER: &str = "56840f84-3c52-4aa1-8664-34f42c7eaf25";
pub const SHELLEY: &str = "956d8e90-cb02-4d44-8873-640f5744e43f";
pub const DOYLE: &str = "16ed6ee0-da5a-4048-b10c-fdfed113b926";
pub const WELLS: &str = "3443fbec-4d19-40b1-aca5-cfbc193fa914";
pub const CARROLL: &str = "016159f9-7d36-4fa8-bec1-08388e6b593e";
pub const TWAIN: &str = "7ca993eb-ae12-499a-b341-bdc61eed6863";
pub const WARNER: &str = "b095a1eb-8afc-403c-b9ee-9988c6770c41";

// Collections
/// Five books, in no other order than the curator's.
pub const SEA_AND_SHORE: &str = "f6b161d1-fcc8-4633-a5cb-df185837806c";
/// Five books.
pub const BAKER_STREET_IN_ORDER: &str = "d8338c12-33cc-4892-acaf-ec97985d1583";
/// Three books, one of them explicit; a name that gives orders.
pub const HOSTILE_COLLECTION: &str = "430f27e1-9687-4f72-bf47-4de21bb099f7";
/// One explicit book and nothing else.
pub const ADULTS_ONLY: &str = "7cee04d2-1b3c-436f-a093-e69bc35c9ce0";

// Playlists
/// Root's: four books.
pub const ROAD_TRIP: &str = "a2c95219-7250-4816-bba0-6123adf087ab";
/// Root's: four episodes of two podcasts.
pub const EPISODE_QUEUE: &str = "54afab8f-df3e-4cae-b892-c819e0301568";
/// Root's: two books; a name that gives orders.
pub const HOSTILE_PLAYLIST: &str = "80af15aa-d49f-4ed3-8d11-01700346d7d9";
/// Kid's: two books.
pub const KIDS_PLAYLIST: &str = "c2ebbcb8-dcfb-48b6-b3d5-38a66ab8d33a";

// Nothing has this one.
pub const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

/// The id of something that belongs to something: a folder, a device, a progress record.
pub(crate) fn derived(id: &str, what: &str) -> String {
    let half = |seed: u64| {
        let hash = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        mix(id.bytes().chain(*b"/").chain(what.bytes()).fold(seed, hash))
    };
    uuid(half(0xcbf2_9ce4_8422_2325), half(0x6c62_272e_07bb_0142))
}

/// The id of the n-th of a kind: generated books, rows that a request created.
pub fn numbered(kind: &str, n: u32) -> String {
    derived(kind, &n.to_string())
}

/// The id of the record that the sample library has of a user's place in a book or an episode.
pub fn progress(role: &str, item_or_episode: &str) -> String {
    derived(item_or_episode, &format!("progress of {role}"))
}

/// Version 4, variant 1; the rest is the hash.
fn uuid(high: u64, low: u64) -> String {
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff
    )
}

fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_ids_are_uuids_and_differ() {
        let ids: Vec<String> = (0..500).map(|n| numbered("book", n)).collect();
        for id in &ids {
            assert_eq!(id.len(), 36, "{id}");
            assert_eq!(&id[14..15], "4", "{id}");
            assert!("89ab".contains(&id[19..20]), "{id}");
        }
        let mut unique = ids.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), ids.len());
    }
}
