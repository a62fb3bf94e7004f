"""Made-up JSON of the shape and about the size of public benchmark files, always the same.

The files themselves are not ours to ship; whoever has them names them instead.
"""

from __future__ import annotations

import random
import string
from typing import Any

_WORDS = (
    "ad", "aliqua", "aute", "cillum", "commodo", "culpa", "deserunt", "dolor", "ea", "elit", "enim", "esse", "est",
    "eu", "ex", "fugiat", "id", "in", "ipsum", "irure", "labore", "laborum", "lorem", "magna", "minim", "mollit",
    "nisi", "nostrud", "officia", "pariatur", "qui", "quis", "sint", "sit", "sunt", "tempor", "ullamco", "ut", "velit",
)  # fmt: skip
_PLACES = (
    "Amphithéâtre", "Balcon central", "Balcon côté cour", "Balcon côté jardin", "Corbeille", "Estrade", "Fosse",
    "Galerie", "Gradins", "Loge", "Orchestre", "Parterre", "Pourtour", "Rang d'honneur", "Scène arrière",
    "Tribune nord", "Tribune sud",
)  # fmt: skip
_PERFORMERS = ("Quatuor", "Orchestre de chambre", "Ensemble baroque", "Récital", "Chœur", "Trio", "Philharmonie")
_SYLLABLES = "かきくけこさしすせそたちつてとなにぬねのはひふへほ今日明日元気写真音楽東京大阪電車学校先生友達世界時間"


def citm(seed: int = 1) -> dict[str, Any]:
    """Return a season of concerts: eight members, most of it 243 performances of 184 events with prices and areas."""
    chance = random.Random(seed)
    areas = {str(205_705_993 + n): place for n, place in enumerate(_PLACES)}
    topics = [(107_888_604 + n, f"Thème {n + 1}") for n in range(4)]
    subtopics = [(337_184_262 + n, f"Genre {_WORDS[n]}") for n in range(19)]
    events = {}
    for number in range(138_586_341, 138_586_341 + 4 * 184, 4):
        logo = f"/images/HALL0000{_letters(chance, 8)}ZDSV" if chance.random() < 0.6 else None
        events[str(number)] = {
            "description": None, "id": number, "logo": logo,
            "name": f"{chance.choice(_PERFORMERS)} {_text(chance, 2).title()}",
            "subTopicIds": sorted({chance.choice(subtopics)[0] for _ in range(chance.randint(1, 4))}),
            "subjectCode": None, "subtitle": None,
            "topicIds": sorted({chance.choice(topics)[0] for _ in range(chance.randint(1, 3))}),
        }  # fmt: skip
    seats = {str(338_937_235 + n): f"{n % 5 + 1}ère catégorie" for n in range(64)}
    numbers = [int(key) for key in events]
    return {
        "areaNames": areas,
        "audienceSubCategoryNames": {"337100890": "Abonné"},
        "events": events,
        "performances": [
            _performance(chance, chance.choice(numbers), list(map(int, areas)), list(map(int, seats)))
            for _ in range(243)
        ],
        "seatCategoryNames": seats,
        "subTopicNames": {str(key): name for key, name in subtopics},
        "topicNames": {str(key): name for key, name in topics},
        "topicSubTopics": {str(key): [s for s, _ in subtopics[n::4]] for n, (key, _) in enumerate(topics)},
    }


def _performance(chance: random.Random, event: int, areas: list[int], seats: list[int]) -> dict[str, Any]:
    categories = sorted(chance.sample(seats, chance.randint(2, 5)))
    return {
        "eventId": event,
        "id": 339_887_544 + chance.randrange(20_000),
        "logo": None,
        "name": None,
        "prices": [
            {"amount": 250 * chance.randint(40, 400), "audienceSubCategoryId": 337_100_890, "seatCategoryId": seat}
            for seat in categories
        ],
        "seatCategories": [
            {
                "areas": [{"areaId": area, "blockIds": []} for area in chance.sample(areas, chance.randint(7, 13))],
                "seatCategoryId": seat,
            }
            for seat in categories
        ],
        "seatMapImage": None,
        "start": 1_372_701_600_000 + 86_400_000 * chance.randrange(360),
        "venueCode": "HALL_ONE",
    }


def canada(seed: int = 1, points: int = 55_563) -> dict[str, Any]:
    """Return a coast line: one feature of 480 rings that hold *points* pairs of long numbers."""
    chance = random.Random(seed)
    rings = []
    left = points
    for number in range(480, 0, -1):
        length = left if number == 1 else max(4, min(left - 4 * (number - 1), round(chance.expovariate(number / left))))
        left -= length
        east, north = chance.uniform(-140, -53), chance.uniform(42, 83)
        ring = []
        for _ in range(length):
            # sums of steps leave the many digits that converted coordinates have
            east += chance.randint(-9000, 9000) / 1e6
            north += chance.randint(-9000, 9000) / 1e6
            ring.append([east, north])
        rings.append(ring)
    shape = {"type": "Polygon", "coordinates": rings}
    feature = {"type": "Feature", "properties": {"name": "Coast"}, "geometry": shape}
    return {"type": "FeatureCollection", "features": [feature]}


def twitter(seed: int = 1, statuses: int = 100) -> dict[str, Any]:
    """Return a page of search results: *statuses* short messages in Japanese script, most of them repeating another."""
    chance = random.Random(seed)
    found = []
    for _ in range(statuses):
        status = _status(chance)
        if chance.random() < 0.73:
            status["retweeted_status"] = _status(chance)
        found.append(status)
    about = {"completed_in": 0.087, "max_id": found[0]["id"], "query": "%E4%B8%80", "count": statuses, "since_id": 0}
    return {"statuses": found, "search_metadata": about}


def _status(chance: random.Random) -> dict[str, Any]:
    number = 505_874_000_000_000_000 + chance.randrange(10**12)
    name = _letters(chance, 8).lower()
    return {
        "metadata": {"result_type": "recent", "iso_language_code": "ja"},
        "created_at": f"Sun Aug 31 00:{chance.randrange(60):02}:{chance.randrange(60):02} +0000 2014",
        "id": number, "id_str": str(number), "text": _japanese(chance, chance.randint(30, 120)),
        "source": '<a href="http://example.org/client" rel="nofollow">Client for phones</a>',
        "truncated": False, "in_reply_to_status_id": None, "in_reply_to_status_id_str": None,
        "in_reply_to_user_id": None, "in_reply_to_user_id_str": None, "in_reply_to_screen_name": None,
        "user": _user(chance, name),
        "geo": None, "coordinates": None, "place": None, "contributors": None,
        "retweet_count": chance.randrange(90), "favorite_count": chance.randrange(60),
        "entities": {
            "hashtags": [], "symbols": [], "urls": [],
            "user_mentions": [
                {"screen_name": name, "name": _japanese(chance, 6), "id": number % 10**9, "id_str": str(number % 10**9),
                 "indices": [3, 12]},
            ],
        },
        "favorited": False, "retweeted": False, "lang": "ja",
    }  # fmt: skip


def _user(chance: random.Random, name: str) -> dict[str, Any]:
    number = chance.randrange(10**9, 3 * 10**9)
    picture = f"://example.org/profile_images/{chance.randrange(10**17, 10**18)}/{_letters(chance, 8)}_normal.jpeg"
    return {
        "id": number, "id_str": str(number), "name": _japanese(chance, 6), "screen_name": name, "location": "",
        "description": _japanese(chance, chance.randint(20, 90)), "url": None,
        "entities": {"description": {"urls": []}}, "protected": False,
        "followers_count": chance.randrange(3000), "friends_count": chance.randrange(900), "listed_count": 0,
        "created_at": "Sat Feb 16 13:40:25 +0000 2013", "favourites_count": chance.randrange(4000),
        "utc_offset": None, "time_zone": None, "geo_enabled": False, "verified": False,
        "statuses_count": chance.randrange(30_000), "lang": "ja", "contributors_enabled": False,
        "is_translator": False, "is_translation_enabled": False, "profile_background_color": "C0DEED",
        "profile_background_image_url": "http://example.org/images/themes/theme1/bg.png",
        "profile_background_image_url_https": "https://example.org/images/themes/theme1/bg.png",
        "profile_background_tile": False, "profile_image_url": f"http{picture}",
        "profile_image_url_https": f"https{picture}",
        "profile_banner_url": f"https://example.org/profile_banners/{number}/{chance.randrange(10**9, 2 * 10**9)}",
        "profile_link_color": "0084B4", "profile_sidebar_border_color": "C0DEED",
        "profile_sidebar_fill_color": "DDEEF6", "profile_text_color": "333333",
        "profile_use_background_image": True, "default_profile": True, "default_profile_image": False,
        "following": False, "follow_request_sent": False, "notifications": False,
    }  # fmt: skip


def people(seed: int = 1, count: int = 140) -> list[dict[str, Any]]:
    """Return *count* accounts with a profile each, 560 bytes apiece."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        first, last = (_letters(chance, 5).lower() for _ in range(2))
        day = f"{chance.randint(2010, 2022)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        found.append(
            {
                "id": f"{chance.getrandbits(96):024x}",
                "email": f"{first}_{last}@example.org",
                "username": f"{first}{chance.randrange(100)}",
                "profile": {
                    "name": f"{first} {last}".title(),
                    "company": _letters(chance, 7).title(),
                    "dob": f"19{chance.randint(50, 99)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}",
                    "address": f"{chance.randrange(100)} {_text(chance, 2).title()} Street",
                    "location": {
                        "lat": round(chance.uniform(-90, 90), 6), "long": round(chance.uniform(-180, 180), 6)
                    },
                    "about": f"{_text(chance, 14).capitalize()}. {_text(chance, 14).capitalize()}.",
                },
                "apiKey": f"{chance.getrandbits(128):032x}",
                "roles": chance.choice((["admin"], ["owner"], ["guest", "member"])),
                "createdAt": f"{day}T10:55:05.786Z",
                "updatedAt": f"{day}T11:55:05.786Z",
            }
        )  # fmt: skip
    return found


def _letters(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(string.ascii_letters, k=count))


def _text(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))


def _japanese(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(_SYLLABLES, k=count))
