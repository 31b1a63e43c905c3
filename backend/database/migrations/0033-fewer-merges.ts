// FTS5 merges eight segments of a level at a time instead of four: each word is written again less
// often, and a search reads a few more segments.
const AUTOMERGE = `insert into "postWords" ("postWords", rank) values ('automerge', 8)`
export const statements = (isPostgres: boolean) => (isPostgres ? [] : [AUTOMERGE])
