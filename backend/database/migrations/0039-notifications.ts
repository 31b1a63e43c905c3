// What people are told in the bell: one row for what is told together, while it is unread.
import { sequenceColumn } from '../migration-steps.ts'

export const statements = (isPostgres: boolean) => [
  `create table if not exists notification (${sequenceColumn(isPostgres)}, id text not null unique,
     "userId" text not null references "user" (id) on delete cascade, kind text not null,
     "groupKey" text, "postId" text not null, "commentId" text not null, "caseId" text not null,
     actors text not null, count integer not null, "hiddenBy" text not null, reason text not null,
     "isSeen" integer not null default 0, "isRead" integer not null default 0,
     place bigint not null, "updatedAt" text not null, unique ("userId", "groupKey"))`,
  'create index if not exists "notificationInOrder" on notification ("userId", place)',
  `create index if not exists "notificationUnread" on notification ("userId", place)
     where "isRead" = 0`,
  `create index if not exists "notificationUnseen" on notification ("userId")
     where "isSeen" = 0`,
  'create index if not exists "notificationByAge" on notification ("updatedAt")',
  `create table if not exists "mutedPost" (
     "userId" text not null references "user" (id) on delete cascade,
     "postId" text not null references post (id) on delete cascade, "createdAt" text not null,
     primary key ("userId", "postId"))`,
  'create index if not exists "mutedByPost" on "mutedPost" ("postId")',
  // The few operators among many people.
  `create index if not exists "userOperators" on "user" (id) where labels like '%"operator"%'`,
]
