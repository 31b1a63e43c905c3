// FTS5 joins eight pieces of one size at a time instead of four: each word is written again less
// often, and a search asks a few more pieces.
const EIGHT = `insert into "postWords" ("postWords", rank) values ('automerge', 8)`
export const statements = (isPostgres: boolean) => (isPostgres ? [] : [EIGHT])
