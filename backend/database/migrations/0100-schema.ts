// The whole schema, one file for each room. It took the place of the migrations 0001 to 0059, which
// is why it has the number 0100: a database that has them all is converted to it
// (../old-database.ts).
//
// Once this file and those of `0100-schema/` have been released, they are never edited: what comes
// later is a migration of its own, and test/released-data.test.ts pins their hashes.
//
// Booleans are integers (0 or 1), times ISO 8601 texts in UTC, JSON is text: the same on both
// databases. ../schema.ts says what each column holds.
import { createAccounts } from './0100-schema/accounts.ts'
import { createComments } from './0100-schema/comments.ts'
import { createFiles } from './0100-schema/files.ts'
import { createNotifications } from './0100-schema/notifications.ts'
import { createOperatorTables } from './0100-schema/operator.ts'
import { createPostTexts } from './0100-schema/post-texts.ts'
import { createPosts } from './0100-schema/posts.ts'
import { createPublicVersion } from './0100-schema/public-version.ts'
import { createReports } from './0100-schema/reports.ts'
import { createSearch } from './0100-schema/search.ts'
import { createVersions } from './0100-schema/versions.ts'

export const statements = (isPostgres: boolean): string[] => [
  ...createPublicVersion(isPostgres),
  ...createAccounts(isPostgres),
  ...createFiles(isPostgres),
  ...createPosts(isPostgres),
  ...createPostTexts(isPostgres),
  ...createSearch(isPostgres),
  ...createVersions(isPostgres),
  ...createComments(isPostgres),
  ...createReports(isPostgres),
  ...createNotifications(isPostgres),
  ...createOperatorTables(isPostgres),
]
