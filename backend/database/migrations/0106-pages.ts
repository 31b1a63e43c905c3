// Addresses of pages such as "About" (contract/blog-links.ts), and an index of pages among posts.
import { type CacheTagChange, cacheTagTriggers } from '../migration-steps.ts'

/** All HTML names the pages in its header and footer. */
const raises = [`select 'site' as tag`]

const CHANGES: CacheTagChange[] = [
  { table: 'pageAddress', event: 'insert', raises },
  { table: 'pageAddress', event: 'update', raises },
  { table: 'pageAddress', event: 'delete', raises },
  {
    name: 'page',
    table: 'post',
    event: 'update of title, status, "isHidden"',
    when: `new.readers = 'page' and (old.status = 'active' or new.status = 'active')`,
    raises,
  },
]

export const statements = (isPostgres: boolean): string[] => [
  `create table "pageAddress" (
    address text primary key,
    "postId" text not null references post (id) on delete cascade,
    "isCurrent" integer not null
  )`,
  'create index "pageAddressOfPost" on "pageAddress" ("postId", "isCurrent")',
  `create index "postPage" on post (seq) where readers = 'page'`,
  ...CHANGES.flatMap((change) => cacheTagTriggers(isPostgres, change)),
]
