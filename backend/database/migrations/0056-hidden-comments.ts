// Indexes for what is asked of a person's comments, however many they wrote: which were hidden
// last, and of which the links lead nowhere.
export const statements = () => [
  `create index if not exists "commentHiddenAt" on comment
     ("userId", "discussionSeq", "hiddenBy", "hiddenAt") where status in ('hidden', 'rejected')`,
  `create index if not exists "commentWithoutLinks" on comment ("userId") where "hasLinks" = 0`,
]
