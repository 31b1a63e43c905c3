// Blocked people, who are few, are found without the others.
export const statements = () => ['create index "userByBlock" on "user" ("isBlocked", id)']
