// Tags of posts, and those of deleted posts.
export const statements = (isPostgres: boolean) => [
  `create table "postTag" ("postSeq" bigint not null references post (seq) on delete cascade,
     place integer not null, name text not null,
     key text ${isPostgres ? 'collate "C"' : ''} not null,
     "isFromText" integer not null, "createdAt" text not null,
     constraint "postTagKey" primary key ("postSeq", place))`,
  `alter table "deletedPost" add column tags text not null default ''`,
]
