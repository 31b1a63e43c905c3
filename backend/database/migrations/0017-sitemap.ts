// Public posts in parts of 50,000 by their order of creation, in each part by the time of their
// last change: a file of the sitemap is one part, and its newest change is one row. The index holds
// all that a file says, so that no body is passed (decision 0043).
export const statements = () => [
  `create index if not exists "postSitemap" on post
    (((seq - 1) / 50000), "updatedAt", seq, readers, "userId", id, title)
    where status = 'active' and "isHidden" = 0`,
]
