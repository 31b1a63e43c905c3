// Texts made from the body of a post (decision 0064). A row whose rules or digest are others than
// those of today is made again.
import { raiseVersionOfPost } from './public-version.ts'

export const createPostTexts = (isPostgres: boolean): string[] => [
  `create table "postText" (
    "postId" text primary key references post (id) on delete cascade,
    rules text not null default '',
    digest text not null default '',
    words integer,
    "shownDigest" text not null default '',
    texts text,
    cleaned text,
    code text
  )`,
  // Whether any row has other rules: asked at each start.
  'create index "postTextRules" on "postText" (rules)',
  // Nothing else of a row changes what an answer says.
  raiseVersionOfPost(isPostgres, 'postText', 'insert', 'new.code is not null'),
  raiseVersionOfPost(
    isPostgres,
    'postText',
    'update of code',
    'old.code is distinct from new.code',
  ),
]
