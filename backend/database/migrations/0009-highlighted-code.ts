// The highlighted code of a post's body, kept so that it is made once, like the other texts of its
// row.
export const statements = () => [
  'alter table "postText" add column "codeDigest" text',
  'alter table "postText" add column code text',
]
