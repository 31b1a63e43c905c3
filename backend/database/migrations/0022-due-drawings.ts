// Uploads whose previews are to be drawn before anybody asks for them: a row goes when they are
// drawn, so that what a crash left undone is found without looking at all files (decision 0068).

export const statements = () => [
  `create table if not exists "dueDrawing" ("storedName" text primary key,
       "bucketId" text not null, "fileId" text not null, "userId" text not null,
       "dueAt" text not null, tries integer not null)`,
  'create index if not exists "dueDrawingByTime" on "dueDrawing" ("dueAt")',
]
