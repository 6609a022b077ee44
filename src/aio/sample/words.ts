/** The words the sample is made of, all invented here: things, shops, sites, and what people ask about them. */

import type { defaultBuckets } from "../tables.ts";

export type Bucket = (typeof defaultBuckets)[number];

export interface Language {
  /** What keywords are about, unless they look for a shop. */
  readonly things: readonly string[];
  readonly shops: readonly string[];
  /** By what somebody wants who types it; `{}` stands for the thing or the shop. */
  readonly patterns: Readonly<Record<Bucket, readonly string[]>>;
  /** What narrows a keyword; the first narrows nothing. */
  readonly qualifiers: readonly string[];
  /** Titles of pages; `{}` stands for the keyword. */
  readonly titles: readonly string[];
}

export const english: Language = {
  things: [
    "kettle",
    "rice cooker",
    "umbrella",
    "floor cushion",
    "folding bicycle",
    "green tea",
    "kitchen knife",
    "desk lamp",
    "rain boots",
    "air purifier",
    "paper screen",
    "wind chime",
    "lunch box",
    "hand towel",
    "shoe rack",
    "water filter",
    "futon",
    "bonsai pot",
    "calligraphy brush",
    "incense",
    "door curtain",
    "sewing kit",
    "travel pillow",
    "fountain pen",
  ],
  shops: ["Okurane", "Tomarigi", "Kettlebrook", "Sunnyquay", "Hibinoya", "Lampwright"],
  patterns: {
    informational: [
      "how to clean a {}",
      "what is a {}",
      "why does a {} wear out",
      "how long does a {} last",
      "history of the {}",
      "{} care at home",
    ],
    commercial: [
      "best {}",
      "{} reviews",
      "{} comparison",
      "which {} to choose",
      "{} pros and cons",
    ],
    transactional: ["buy {}", "{} price", "{} sale", "order {} online", "cheap {}"],
    navigational: ["{} login", "{} official site", "{} opening hours", "{} customer service"],
  },
  qualifiers: [
    "",
    "for beginners",
    "for a small flat",
    "for two",
    "for travel",
    "in winter",
    "in summer",
    "for children",
    "as a gift",
    "under 50 euros",
    "made of wood",
    "made of steel",
  ],
  titles: [
    "{}: what to know",
    "{} explained",
    "Our guide to {}",
    "{} | Tips from the workshop",
    "{} - questions and answers",
    "Everything about {}",
  ],
};

export const japanese: Language = {
  things: [
    "やかん",
    "炊飯器",
    "傘",
    "座布団",
    "折りたたみ自転車",
    "緑茶",
    "包丁",
    "卓上ライト",
    "長靴",
    "空気清浄機",
    "障子",
    "風鈴",
    "弁当箱",
    "手ぬぐい",
    "下駄箱",
    "浄水器",
    "布団",
    "盆栽鉢",
    "筆",
    "お香",
    "のれん",
    "裁縫箱",
    "旅行枕",
    "万年筆",
  ],
  shops: ["おくらね", "とまり木", "日々の屋", "灯り工房"],
  patterns: {
    informational: ["{} 使い方", "{} とは", "{} 手入れ", "{} 寿命", "{} 歴史"],
    commercial: ["{} おすすめ", "{} 比較", "{} 口コミ", "{} 選び方"],
    transactional: ["{} 通販", "{} 価格", "{} セール", "{} 購入"],
    navigational: ["{} ログイン", "{} 公式サイト", "{} 営業時間", "{} 問い合わせ"],
  },
  qualifiers: [
    "",
    "初心者",
    "一人暮らし",
    "二人用",
    "旅行用",
    "冬",
    "夏",
    "子供用",
    "贈り物",
    "一万円以下",
    "木製",
    "ステンレス",
  ],
  titles: ["{}の基本", "{}を徹底解説", "{}まとめ", "はじめての{}", "{}でよくある質問"],
};

/** Sites that cite and are cited; none of the names can ever be registered (RFC 2606). */
export const sites = [
  "kettle-guide.example",
  "www.okurane.example",
  "home-workshop.example",
  "blog.tomarigi.example",
  "tea-and-tools.example",
  "sunnyquay.example",
  "www.encyclopedia.example",
  "forum.repair-cafe.example",
  "hibinoya.example",
  "lampwright.example",
  "news.harbour-post.example",
  "kurashi.example",
  "xn--t8jvd3041akmp.example",
  "shop.kettlebrook.example",
  "questions.example",
  "small-flat.example",
] as const;

/** What a run says when a page did not come, as only the operator reads it. */
export const errors = [
  "timeout after 30 s via proxy-3.internal.example",
  "HTTP 503 from the search API, request id 7f21",
  "HTTP 429: the account has no searches left",
  "the page could not be parsed: unexpected end",
] as const;
