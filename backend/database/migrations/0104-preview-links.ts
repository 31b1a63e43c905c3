// Links to posts that are not published yet. One for each post; it ends when the post is published.
export function statements(isPostgres: boolean): string[] {
  return [
    `create table "previewLink" (
      "postId" text primary key references post (id) on delete cascade,
      "secretHash" text not null unique,
      "createdAt" text not null,
      "expiresAt" text not null,
      opens integer not null default 0,
      "lastOpenedAt" text not null default ''
    )`,
    ...(isPostgres ? ON_POSTGRES : ON_SQLITE),
  ]
}

const ON_SQLITE = [
  `create trigger "previewEnds" after update of status on post when new.status = 'active' begin
    delete from "previewLink" where "postId" = new.id; end`,
]

const ON_POSTGRES = [
  `create function "endPreview"() returns trigger language plpgsql as $$ begin
    delete from "previewLink" where "postId" = new.id;
    return null; end $$`,
  `create trigger "previewEnds" after update of status on post
    for each row when (new.status = 'active') execute function "endPreview"()`,
]
