// Posts that the operator hides, and invitations.

export const statements = () => [
  'alter table post add column "isHidden" integer not null default 0',
  `create table invitation (id text primary key, email text not null unique,
       name text not null, "secretHash" text not null unique, "isMailed" integer not null,
       "createdAt" text not null, "expiresAt" text not null)`,
]
