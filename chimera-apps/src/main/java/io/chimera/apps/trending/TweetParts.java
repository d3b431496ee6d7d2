package io.chimera.apps.trending;

import java.util.List;

/** Writes users, places, words and entities of tweets. One thread. */
final class TweetParts {
    private static final String[] WORDS = {
        "the",
        "match",
        "tonight",
        "was",
        "never",
        "so",
        "good",
        "and",
        "we",
        "all",
        "saw",
        "it",
        "live",
        "from",
        "here",
        "after",
        "rain",
        "music",
        "of",
        "my",
        "city",
        "coffee",
        "again",
        "tomorrow",
        "please",
        "watch",
        "this",
        "\"wow\"",
        "a\\b",
        "50%",
        "naïve",
        "café",
        "привет",
        "мир",
        "今日",
        "は",
        "良い",
        "天気",
        "مرحبا",
        "çok",
        "güzel",
        "😂",
        "👏🏽",
        "🎉",
        "don't",
        "stop",
        "line\nbreak",
        "<3",
        "&amp;",
        "news:"
    };

    private static final String[] NAMES = {
        "maria", "joe", "lin", "ahmed", "olga", "kenji", "sara", "tom", "ines", "paul", "nina", "ravi"
    };

    private static final String[] CITIES = {"London", "São Paulo", "東京", "Москва", "Genova", "New York", "القاهرة"};

    /** Draws words, and appends the hashtags. */
    String words(Draws draws, int count, List<String> tags) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS[draws.below(WORDS.length)]);
        }
        tags.forEach(tag -> text.append(" #").append(tag));
        return text.toString();
    }

    String name(Draws draws) {
        return NAMES[draws.below(NAMES.length)] + draws.below(10_000);
    }

    /** Writes an author. The author of an embedded tweet has only the essential fields. */
    void user(JsonText json, Draws draws, boolean whole) {
        int id = 10_000_000 + draws.below(900_000_000);
        String name = name(draws);
        String images = "https://pbs.twimg.com/profile_images/" + id + "/x" + draws.below(1 << 30) + "_normal.jpeg";
        json.begin("user", '{')
                .raw("id", id)
                .text("id_str", Integer.toString(id))
                .text("name", words(draws, 2, List.of()))
                .text("screen_name", name)
                .text("location", CITIES[draws.below(CITIES.length)])
                .raw("url", null)
                .text("description", words(draws, 8, List.of()))
                .raw("protected", false)
                .raw("followers_count", draws.below(5_000))
                .raw("friends_count", draws.below(2_000))
                .raw("listed_count", draws.below(50))
                .text("created_at", "Sat Mar 12 09:41:27 +0000 2011")
                .raw("favourites_count", draws.below(9_000))
                .raw("utc_offset", null)
                .raw("time_zone", null)
                .raw("geo_enabled", draws.permille(500))
                .raw("verified", false)
                .raw("statuses_count", draws.below(90_000))
                .text("lang", "en")
                .raw("contributors_enabled", false)
                .raw("is_translator", false);
        if (whole) {
            looks(json, id, images);
        }
        json.raw("following", null).raw("notifications", null).end('}');
    }

    private static void looks(JsonText json, int id, String images) {
        json.text("profile_background_color", "C0DEED")
                .text("profile_background_image_url", "http://abs.twimg.com/images/themes/theme1/bg.png")
                .text("profile_background_image_url_https", "https://abs.twimg.com/images/themes/theme1/bg.png")
                .raw("profile_background_tile", false)
                .text("profile_link_color", "1DA1F2")
                .text("profile_sidebar_fill_color", "DDEEF6")
                .raw("profile_use_background_image", true)
                .text("profile_image_url", images.replace("https", "http"))
                .text("profile_image_url_https", images)
                .text("profile_banner_url", "https://pbs.twimg.com/profile_banners/" + id + "/1405263000")
                .raw("default_profile", true);
    }

    void place(JsonText json, Draws draws) {
        if (draws.permille(800)) {
            json.raw("geo", null).raw("coordinates", null).raw("place", null).raw("contributors", null);
            return;
        }
        double latitude = draws.below(160_000) / 1e3 - 80;
        double longitude = draws.below(360_000) / 1e3 - 180;
        json.begin("coordinates", '{').text("type", "Point").begin("coordinates", '[');
        json.element(longitude).element(latitude).end(']').end('}');
        json.begin("place", '{')
                .text("id", Integer.toHexString(draws.below(1 << 30)))
                .text("url", "https://api.twitter.com/1.1/geo/id/" + draws.below(1 << 30) + ".json")
                .text("place_type", "city")
                .text("full_name", CITIES[draws.below(CITIES.length)])
                .begin("bounding_box", '{')
                .text("type", "Polygon")
                .begin("coordinates", '[')
                .begin('[');
        for (int corner = 0; corner < 4; corner++) {
            json.begin('[')
                    .element(longitude + corner % 2)
                    .element(latitude + (corner >> 1))
                    .end(']');
        }
        json.end(']').end(']').end('}').begin("attributes", '{').end('}').end('}');
    }

    void counts(JsonText json, Draws draws) {
        json.raw("is_quote_status", false)
                .raw("quote_count", draws.below(10))
                .raw("reply_count", draws.below(10))
                .raw("retweet_count", draws.below(1_000))
                .raw("favorite_count", draws.below(1_000))
                .raw("favorited", false)
                .raw("retweeted", false)
                .raw("possibly_sensitive", false);
    }

    void entities(JsonText json, Draws draws, List<String> tags, boolean media) {
        json.begin("entities", '{').begin("hashtags", '[');
        int at = 40;
        for (String tag : tags) {
            json.begin('{').text("text", tag);
            indices(json, at, tag.length() + 1).end('}');
            at += tag.length() + 2;
        }
        json.end(']').begin("urls", '[');
        if (draws.permille(350)) {
            String url = "https://t.co/" + Integer.toString(draws.below(1 << 30), 36);
            json.begin('{')
                    .text("url", url)
                    .text("expanded_url", "https://www.example.com/news/" + draws.below(1 << 30) + "/story.html")
                    .text("display_url", "example.com/news/" + draws.below(1 << 30) + "…");
            indices(json, 60, url.length()).end('}');
        }
        json.end(']').begin("user_mentions", '[');
        if (draws.permille(400)) {
            int id = 10_000_000 + draws.below(900_000_000);
            json.begin('{')
                    .text("screen_name", name(draws))
                    .text("name", words(draws, 2, List.of()))
                    .raw("id", id)
                    .text("id_str", Integer.toString(id));
            indices(json, 3, 10).end('}');
        }
        json.end(']').begin("symbols", '[').end(']');
        if (media && draws.permille(500)) {
            String image = "pbs.twimg.com/media/B" + draws.below(1 << 30) + ".jpg";
            json.begin("media", '[').begin('{').raw("id", draws.below(1 << 30));
            indices(json, 100, 23)
                    .text("media_url", "http://" + image)
                    .text("media_url_https", "https://" + image)
                    .text("type", "photo")
                    .end('}')
                    .end(']');
        }
        json.end('}');
    }

    private static JsonText indices(JsonText json, int from, int length) {
        return json.begin("indices", '[').element(from).element(from + length).end(']');
    }
}
