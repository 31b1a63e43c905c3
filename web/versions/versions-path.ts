// Where the versions of a post are.

export function versionsPath(slug: string): string {
  return `/edit-post/${slug}/versions`
}
