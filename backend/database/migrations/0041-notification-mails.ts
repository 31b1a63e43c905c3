// What of the bell is mailed, and what each person wants of it.
export const statements = () => [
  'alter table notification add column "mailAt" text',
  `create index if not exists "notificationToMail" on notification ("mailAt")
     where "mailAt" is not null`,
  `create table if not exists "mailChoice" (
     "userId" text not null primary key references "user" (id) on delete cascade,
     choices text not null, secret text not null, "mailedAt" text not null)`,
]
