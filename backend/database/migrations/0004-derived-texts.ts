// What is made of a post's body, kept so that it is made once: rows that are missing or older than
// their body are made anew when the post is read.
export const statements = () => [
  `create table "postText" (
     "postId" text primary key references post (id) on delete cascade,
     "cleanDigest" text, cleaned text, "textsDigest" text, texts text)`,
]
