// Which mailed links were used, by the id of their token or invitation: the row itself is deleted.
export const statements = () => [
  'create table if not exists "usedLink" (id text not null primary key, "usedAt" text not null)',
  'create index if not exists "usedLinkByTime" on "usedLink" ("usedAt")',
]
