// How an answer of the API says whom it was given to.

/** The header of an answer that says whom it was given to (api.md §1.3). */
export const VIEWER_HEADER = 'x-viewer'

/** The value of {@link VIEWER_HEADER}. @param userId undefined for a guest */
export function viewerMark(userId: string | undefined): string {
  return userId === undefined ? 'guest' : `user ${userId}`
}
