// How often posts are read, a row for each post and day. Deleted posts keep theirs, like likes.

export const statements = () => [
  `create table "postRead" ("postId" text not null references post (id) on delete cascade,
       day text not null, "userId" text not null, count integer not null,
       constraint "postReadKey" primary key ("postId", day))`,
  'create index "postReadByUser" on "postRead" ("userId", day)',
  'create index "postReadByDay" on "postRead" (day)',
  `create table "deletedRead" ("deletedId" text not null, day text not null,
       count integer not null, constraint "deletedReadKey" primary key ("deletedId", day))`,
]
