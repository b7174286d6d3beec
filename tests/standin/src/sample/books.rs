//! The friendly part.

use super::{
    ids,
    spec::{PLAIN, Spec},
};

const DUMAS: Spec = Spec {
    authors: &["Alexandre Dumas"],
    narrators: &["Clara Whitfield"],
    genres: &["Adventure", "Classics"],
    ..PLAIN
};
const VERNE: Spec = Spec {
    authors: &["Jules Verne"],
    narrators: &["Theodore Marsh"],
    genres: &["Adventure", "Science Fiction"],
    ..PLAIN
};
const DOYLE: Spec = Spec {
    authors: &["Arthur Conan Doyle"],
    narrators: &["Edmund Hale"],
    genres: &["Mystery", "Classics"],
    tags: &["comfort"],
    ..PLAIN
};
const WELLS: Spec = Spec { authors: &["H. G. Wells"], narrators: &["Ida Rowe"], genres: &["Science Fiction"], ..PLAIN };

pub(super) const BOOKS: &[Spec] = &[
    Spec {
        id: ids::PRIDE_AND_PREJUDICE,
        title: "Pride and Prejudice",
        authors: &["Jane Austen"],
        narrators: &["Harriet Lowe"],
        genres: &["Romance", "Classics"],
        tags: &["favourites", "comfort"],
        year: Some("1813"),
        isbn: Some("9780000000113"),
        minutes: 690,
        chapters: 61,
        cover: true,
        description: Some("<p>Five sisters, two proposals that go wrong, and one that does not.</p>"),
        ..PLAIN
    },
    Spec {
        id: ids::SENSE_AND_SENSIBILITY,
        title: "Sense and Sensibility",
        authors: &["Jane Austen"],
        narrators: &["Harriet Lowe"],
        genres: &["Romance", "Classics"],
        year: Some("1811"),
        minutes: 655,
        files: 5,
        description: Some("Elinor keeps her feelings to herself; Marianne does not."),
        ..PLAIN
    },
    Spec {
        id: ids::EMMA,
        title: "Emma",
        subtitle: Some("A Full-Cast Reading"),
        authors: &["Jane Austen"],
        narrators: &["Harriet Lowe", "Edmund Hale", "Ida Rowe", "Theodore Marsh"],
        genres: &["Romance", "Comedy"],
        tags: &["full cast"],
        year: Some("1815"),
        asin: Some("B000EMMA15"),
        minutes: 900,
        chapters: 55,
        description: Some("A matchmaker who sees everything but her own heart."),
        ..PLAIN
    },
    Spec {
        id: ids::THREE_MUSKETEERS,
        title: "The Three Musketeers",
        series: &[("The d'Artagnan Romances", Some("1"))],
        year: Some("1844"),
        minutes: 1380,
        files: 12,
        chapters: 67,
        description: Some("A young man from Gascony picks three duels before noon."),
        ..DUMAS
    },
    Spec {
        id: ids::TWENTY_YEARS_AFTER,
        title: "Twenty Years After",
        series: &[("The d'Artagnan Romances", Some("2"))],
        year: Some("1845"),
        minutes: 1500,
        files: 12,
        ..DUMAS
    },
    Spec {
        id: ids::VICOMTE_OF_BRAGELONNE,
        title: "The Vicomte of Bragelonne",
        series: &[("The d'Artagnan Romances", Some("3"))],
        year: Some("1850"),
        minutes: 2100,
        ..DUMAS
    },
    Spec {
        id: ids::MONTE_CRISTO,
        title: "The Count of Monte Cristo",
        tags: &["favourites", "50% off"],
        year: Some("1846"),
        minutes: 2880,
        files: 48,
        chapters: 117,
        cover: true,
        description: Some("Fourteen years in a cell, one map, and all the time in the world."),
        ..DUMAS
    },
    Spec {
        id: ids::TWENTY_THOUSAND_LEAGUES,
        title: "Twenty Thousand Leagues Under the Sea",
        series: &[("Captain Nemo", Some("1")), ("Extraordinary Voyages", Some("6"))],
        tags: &["sea"],
        year: Some("1870"),
        minutes: 960,
        chapters: 47,
        description: Some("Something enormous is sinking ships, and it is not a whale."),
        ..VERNE
    },
    Spec {
        id: ids::MYSTERIOUS_ISLAND,
        title: "The Mysterious Island",
        series: &[("Captain Nemo", Some("2")), ("Extraordinary Voyages", Some("12"))],
        tags: &["sea"],
        year: Some("1875"),
        minutes: 1260,
        files: 6,
        ..VERNE
    },
    Spec {
        id: ids::CENTRE_OF_THE_EARTH,
        title: "Journey to the Centre of the Earth",
        series: &[("Extraordinary Voyages", Some("3"))],
        year: Some("1864"),
        minutes: 510,
        chapters: 45,
        ..VERNE
    },
    Spec {
        id: ids::EIGHTY_DAYS,
        title: "Around the World in Eighty Days",
        series: &[("Extraordinary Voyages", Some("11"))],
        year: Some("1873"),
        minutes: 450,
        abridged: true,
        ..VERNE
    },
    Spec {
        id: ids::DRACULA,
        title: "Dracula",
        authors: &["Bram Stoker"],
        narrators: &["Edmund Hale", "Harriet Lowe"],
        genres: &["Horror", "Classics"],
        tags: &["favourites", "spooky"],
        year: Some("1897"),
        isbn: Some("9780000000977"),
        asin: Some("B00DRACULA"),
        minutes: 990,
        chapters: 27,
        cover: true,
        description: Some("<p>Journals, letters and one <i>very</i> old nobleman.</p>"),
        ..PLAIN
    },
    Spec {
        id: ids::FRANKENSTEIN,
        title: "Frankenstein",
        subtitle: Some("Or, The Modern Prometheus"),
        authors: &["Mary Shelley"],
        narrators: &["Ida Rowe"],
        genres: &["Horror", "Science Fiction"],
        tags: &["spooky"],
        year: Some("1818"),
        minutes: 520,
        chapters: 24,
        description: Some("A student builds something and then looks at it."),
        ..PLAIN
    },
    Spec {
        id: ids::LAST_MAN,
        title: "The Last Man",
        authors: &["Mary Shelley"],
        genres: &["Science Fiction"],
        tags: &["ebook-only"],
        year: Some("1826"),
        files: 0,
        ebook: Some("the-last-man.epub"),
        ..PLAIN
    },
    Spec {
        id: ids::STUDY_IN_SCARLET,
        title: "A Study in Scarlet",
        series: &[("Sherlock Holmes", Some("1"))],
        year: Some("1887"),
        minutes: 270,
        ..DOYLE
    },
    Spec {
        id: ids::SIGN_OF_THE_FOUR,
        title: "The Sign of the Four",
        series: &[("Sherlock Holmes", Some("2"))],
        year: Some("1890"),
        minutes: 265,
        ..DOYLE
    },
    Spec {
        id: ids::ADVENTURES_OF_SHERLOCK_HOLMES,
        title: "The Adventures of Sherlock Holmes",
        series: &[("Sherlock Holmes", Some("3"))],
        year: Some("1892"),
        minutes: 720,
        files: 12,
        chapters: 12,
        ..DOYLE
    },
    Spec {
        id: ids::MEMOIRS_OF_SHERLOCK_HOLMES,
        title: "The Memoirs of Sherlock Holmes",
        series: &[("Sherlock Holmes", Some("4"))],
        year: Some("1893"),
        minutes: 640,
        ..DOYLE
    },
    Spec {
        id: ids::HOUND_OF_THE_BASKERVILLES,
        title: "The Hound of the Baskervilles",
        series: &[("Sherlock Holmes", Some("5"))],
        year: Some("1902"),
        minutes: 380,
        chapters: 15,
        description: Some("Footprints on the moor, and not a man's."),
        ..DOYLE
    },
    Spec { id: ids::TIME_MACHINE, title: "The Time Machine", year: Some("1895"), minutes: 210, chapters: 12, ..WELLS },
    Spec {
        id: ids::WAR_OF_THE_WORLDS,
        title: "The War of the Worlds",
        year: Some("1898"),
        minutes: 400,
        files: 2,
        ..WELLS
    },
    Spec { id: ids::INVISIBLE_MAN, title: "The Invisible Man", year: Some("1897"), minutes: 330, ..WELLS },
    Spec {
        id: ids::ALICE,
        title: "Alice's Adventures in Wonderland",
        authors: &["Lewis Carroll"],
        narrators: &["Clara Whitfield"],
        series: &[("Alice", Some("1"))],
        genres: &["Children", "Fantasy"],
        tags: &["kids", "favourites"],
        year: Some("1865"),
        minutes: 180,
        chapters: 12,
        cover: true,
        ..PLAIN
    },
    Spec {
        id: ids::LOOKING_GLASS,
        title: "Through the Looking-Glass",
        authors: &["Lewis Carroll"],
        narrators: &["Clara Whitfield"],
        series: &[("Alice", Some("2"))],
        genres: &["Children", "Fantasy"],
        tags: &["kids"],
        year: Some("1871"),
        minutes: 200,
        ..PLAIN
    },
    Spec {
        id: ids::GILDED_AGE,
        title: "The Gilded Age",
        subtitle: Some("A Tale of Today"),
        authors: &["Mark Twain", "Charles Dudley Warner"],
        narrators: &["Theodore Marsh", "Ida Rowe"],
        genres: &["Comedy"],
        year: Some("1873"),
        minutes: 1020,
        ..PLAIN
    },
    Spec {
        id: ids::BROADSIDES,
        title: "Broadsides and Ballads",
        publisher: None,
        language: None,
        minutes: 42,
        files: 2,
        chapters: 2,
        ..PLAIN
    },
    Spec {
        id: ids::FANNY_HILL,
        title: "Memoirs of a Woman of Pleasure",
        authors: &["John Cleland"],
        narrators: &["Harriet Lowe"],
        genres: &["Erotica"],
        tags: &["adult"],
        year: Some("1748"),
        minutes: 480,
        explicit: true,
        ..PLAIN
    },
    Spec {
        id: ids::ANATOMY_OF_MELANCHOLY,
        title: "The Anatomy of Melancholy",
        authors: &["Robert Burton"],
        narrators: &["Edmund Hale"],
        genres: &["Philosophy"],
        year: Some("1621"),
        minutes: 3000,
        description: Some(
            "What it is, with all the kinds, causes, symptoms, prognostics and several cures of it, and then once more. ",
        ),
        ..PLAIN
    },
    Spec {
        id: ids::I_AM_A_CAT,
        title: "吾輩は猫である",
        authors: &["夏目漱石"],
        narrators: &["佐藤 花子"],
        genres: &["文学"],
        year: Some("1905"),
        language: Some("Japanese"),
        minutes: 1100,
        description: Some("名前はまだ無い。"),
        ..PLAIN
    },
    Spec {
        id: ids::CRIME_AND_PUNISHMENT,
        title: "Преступление и наказание",
        authors: &["Фёдор Достоевский"],
        narrators: &["Анна Морозова"],
        genres: &["Classics"],
        year: Some("1866"),
        language: Some("Russian"),
        minutes: 1300,
        ..PLAIN
    },
    Spec {
        id: ids::MISSING_FOLDER,
        title: "The Moonstone",
        authors: &["Wilkie Collins"],
        genres: &["Mystery"],
        year: Some("1868"),
        minutes: 1200,
        missing: true,
        ..PLAIN
    },
];
