// Backups that were asked for or were due: which process of which host makes them, how far one is,
// and why one failed. `night` is the moment at which a nightly one was due.
export const statements = () => [
  `create table if not exists "backupRun" (
     id text not null primary key, "night" text unique, "requestedAt" text not null,
     "byName" text not null, "host" text not null, "state" text not null, "aliveUntil" text not null,
     "attempts" integer not null, "folder" text not null, "name" text not null,
     "doneBytes" bigint not null, "totalBytes" bigint not null, "sizeBytes" bigint not null,
     "endedAt" text not null, "reason" text not null)`,
]
