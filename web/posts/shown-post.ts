// Posts as screens show them.
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'

/** An author without a name, or an answer that leaves it out, is an unknown one. */
export function withAuthor<Row extends { userName?: string }>(row: Row): Row {
  return row.userName?.trim() ? row : { ...row, userName: UNKNOWN_USER_NAME }
}
