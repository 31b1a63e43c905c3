// What a person chooses after the dry run, and what is chosen at first.
import type { ImportCheck, ImportChoices, ImportPerson } from '#contract/archive.ts'
import type { ArchiveScope } from './archive-api.ts'

/** Who the authors become, by their keys in the export; empty while that is not chosen. */
export type People = ImportChoices['people']

export function defaultChoices(scope: ArchiveScope, check: ImportCheck): ImportChoices {
  const isWhole = scope === 'operator'
  const people = isWhole ? check.people : []
  return {
    status: 'active',
    pages: isWhole ? 'pages' : 'none',
    hasPictures: true,
    hasComments: true,
    hasSiteName: false,
    people: Object.fromEntries(people.map((person) => [person.key, defaultOwner(person)])),
  }
}

/** Somebody without an address could never claim a new account. */
function defaultOwner({ proposal, isAmbiguous, email }: ImportPerson): string {
  if (proposal) return proposal
  if (isAmbiguous) return ''
  return email ? 'new' : 'unknown'
}

/** People who still have to be chosen. */
export function countUnchosen(people: People): number {
  return Object.values(people).filter((owner) => owner === '').length
}

/** The posts that an import with these choices makes. */
export function numberOfPosts(
  { willImport, found }: ImportCheck,
  { pages }: ImportChoices,
): number {
  return willImport.posts + willImport.drafts + (pages === 'posts' ? found.pages : 0)
}
