//! Podcasts and their episodes.

use serde_json::{Value, json};

use super::{cover, files};
use crate::{
    clock,
    js::json_number,
    model::{Episode, Item, Podcast},
    text,
};

pub(crate) fn podcast_metadata(podcast: &Podcast) -> Value {
    json!({
        "title": podcast.title,
        "author": podcast.author,
        "description": podcast.description,
        "releaseDate": podcast.release_date,
        "genres": podcast.genres,
        "feedUrl": podcast.feed_url,
        "imageUrl": null,
        "itunesPageUrl": null,
        "itunesId": podcast.itunes_id,
        "itunesArtistId": null,
        "explicit": podcast.explicit,
        "language": podcast.language,
        "type": podcast.kind,
    })
}

pub(super) fn minified(item: &Item, podcast: &Podcast) -> Value {
    json!({
        "id": item.media_id,
        "metadata": metadata_with_prefix(podcast),
        "coverPath": cover(item),
        "tags": item.tags,
        "numEpisodes": podcast.episodes.len(),
        "autoDownloadEpisodes": false,
        "autoDownloadSchedule": "0 * * * *",
        "lastEpisodeCheck": null,
        "maxEpisodesToKeep": 0,
        "maxNewEpisodesToDownload": 3,
        "size": item.media_size(),
    })
}

pub(super) fn expanded(item: &Item, podcast: &Podcast) -> Value {
    let mut media = minified(item, podcast);
    media["libraryItemId"] = json!(item.id);
    media["episodes"] = podcast.episodes.iter().map(|e| episode_expanded(item, e)).collect();
    media
}

/// Within an item, and, without its episodes, within a recent episode.
pub(crate) fn podcast_plain(item: &Item, podcast: &Podcast, with_episodes: bool) -> Value {
    let episodes: Vec<Value> = podcast.episodes.iter().filter(|_| with_episodes).map(|e| episode(item, e)).collect();
    json!({
        "id": item.media_id,
        "libraryItemId": item.id,
        "metadata": podcast_metadata(podcast),
        "coverPath": cover(item),
        "tags": item.tags,
        "episodes": episodes,
        "autoDownloadEpisodes": false,
        "autoDownloadSchedule": "0 * * * *",
        "lastEpisodeCheck": null,
        "maxEpisodesToKeep": 0,
        "maxNewEpisodesToDownload": 3,
    })
}

pub(crate) fn episode(item: &Item, episode: &Episode) -> Value {
    json!({
        "libraryItemId": item.id,
        "podcastId": item.media_id,
        "id": episode.id,
        "oldEpisodeId": null,
        "index": null,
        "season": episode.season,
        "episode": episode.number,
        "episodeType": episode.kind,
        "title": episode.title,
        "subtitle": episode.subtitle,
        "description": episode.description,
        "enclosure": null,
        "guid": null,
        "pubDate": clock::rfc2822(episode.published_at),
        "chapters": files::chapters(&episode.file.chapters),
        "audioFile": files::audio_file(item, &episode.file, 0),
        "publishedAt": episode.published_at,
        "addedAt": item.added_at,
        "updatedAt": item.added_at,
    })
}

pub(crate) fn episode_expanded(item: &Item, one: &Episode) -> Value {
    let mut out = episode(item, one);
    out["audioTrack"] = files::audio_track(item, &one.file);
    out["size"] = json!(one.file.size());
    out["duration"] = json_number(one.file.duration);
    out
}

fn metadata_with_prefix(podcast: &Podcast) -> Value {
    let mut metadata = podcast_metadata(podcast);
    metadata["titleIgnorePrefix"] = json!(text::ignore_prefix(&podcast.title));
    metadata
}
