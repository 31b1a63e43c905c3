// An author's reads are read in batches, by day and post: the index holds them in this order.
// Every step can be repeated.
export const statements = () => [
  'create index if not exists "postReadInOrder" on "postRead" ("userId", day, "postId")',
  'drop index if exists "postReadByUser"',
]
