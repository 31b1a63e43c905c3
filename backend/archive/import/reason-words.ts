// Why things are left out, in words: for the report of the command line and the downloaded list.
import type { IssueReason } from '#contract/archive-limits.ts'

export const REASON_WORDS: Record<IssueReason, string> = {
  unsupported: 'not of a kind that this blog has',
  shortcode: 'a shortcode that only the old program understands',
  pictureMissing: 'not among the files',
  pictureUnreachable: 'the old site does not answer',
  pictureRefused: 'of another site, or no image that this blog stores: a link to it stays',
  noRoom: 'no room left for its author',
  unused: 'no post shows it',
  present: 'this blog has it already',
  conflict: 'another one has its place',
  tooLong: 'too long: cut, or left out',
  tooManyTags: 'more tags than a post has here',
  tooManyAuthors: 'more authors than the one that a post has here',
  noTitle: 'without a title: named after its text',
  notAPost: 'not a post',
  spam: 'not approved in the old blog',
  parentMissing: 'the comment above it is missing',
  postMissing: 'its post is missing',
  badDate: 'a date that cannot be right',
  noDate: 'without a date: it has that of its file, of its last change, or today',
  unreadable: 'cannot be read',
  address: 'this blog uses the address itself',
}
