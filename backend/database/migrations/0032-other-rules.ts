// Whether texts are made by rules of another program than the one that starts: asked at each start.
export const statements = () => ['create index if not exists "postTextRules" on "postText" (rules)']
