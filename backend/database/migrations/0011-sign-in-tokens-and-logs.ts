// Sign-ins of a user, labels of users, and tokens that stand side by side: of short codes the
// guesses are counted. SQLite cannot drop a constraint: the one token of a kind that a user could
// have.
const KEPT = 'id, "userId", kind, "secretHash", "createdAt", "expiresAt"'

export const statements = () => [
  `alter table "user" add column labels text not null default '[]'`,
  `create table "signInLog" (id text primary key,
       "userId" text not null references "user" (id) on delete cascade,
       ip text not null, "userAgent" text not null, "createdAt" text not null)`,
  'create index "signInLogByUser" on "signInLog" ("userId", "createdAt", id)',
  'create index "signInLogByTime" on "signInLog" ("createdAt")',
  'alter table "oauthState" add column "isForToken" integer not null default 0',
  `create table "newToken" (id text primary key,
       "userId" text not null references "user" (id) on delete cascade,
       kind text not null, "secretHash" text not null unique, "createdAt" text not null,
       "expiresAt" text not null, alias text not null default '',
       "providerUid" text not null default '', "guessesLeft" integer)`,
  `insert into "newToken" (${KEPT}) select ${KEPT} from token`,
  'drop table token',
  'alter table "newToken" rename to token',
  'create index "tokenByUser" on token ("userId", kind, "createdAt")',
  'create index "tokenByAlias" on token (alias)',
]
