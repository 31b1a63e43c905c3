// Counted reads whose deleted post went with its account: they were left behind.
export const statements = () => [
  'delete from "deletedRead" where "deletedId" not in (select id from "deletedPost")',
]
