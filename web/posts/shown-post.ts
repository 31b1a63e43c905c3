// The name of an author as screens show it.
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'

/** Replaces an author name that is empty or missing with the name for unknown users. */
export function withAuthor<Row extends { userName?: string }>(row: Row): Row {
  return row.userName?.trim() ? row : { ...row, userName: UNKNOWN_USER_NAME }
}
