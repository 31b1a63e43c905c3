// Notifications: one row for each line of the bell, what each person wants by mail, and the posts
// that people have muted.
import { sequenceColumn } from '../../migration-steps.ts'

export const createNotifications = (isPostgres: boolean): string[] => [
  `create table notification (
    ${sequenceColumn(isPostgres)},
    id text not null unique,
    "userId" text not null references "user" (id) on delete cascade,
    kind text not null,
    "groupKey" text,
    "postId" text not null,
    "commentId" text not null,
    "caseId" text not null,
    actors text not null,
    count integer not null,
    "hiddenBy" text not null,
    reason text not null,
    "isSeen" integer not null default 0,
    "isRead" integer not null default 0,
    place bigint not null,
    "updatedAt" text not null,
    "mailAt" text,
    unique ("userId", "groupKey")
  )`,
  'create index "notificationInOrder" on notification ("userId", place)',
  'create index "notificationUnread" on notification ("userId", place) where "isRead" = 0',
  'create index "notificationUnseen" on notification ("userId") where "isSeen" = 0',
  'create index "notificationByAge" on notification ("updatedAt")',
  'create index "notificationToMail" on notification ("mailAt") where "mailAt" is not null',

  `create table "mailChoice" (
    "userId" text not null primary key references "user" (id) on delete cascade,
    choices text not null,
    secret text not null,
    "mailedAt" text not null
  )`,

  `create table "mutedPost" (
    "userId" text not null references "user" (id) on delete cascade,
    "postId" text not null references post (id) on delete cascade,
    "createdAt" text not null,
    primary key ("userId", "postId")
  )`,
  'create index "mutedByPost" on "mutedPost" ("postId")',
]
