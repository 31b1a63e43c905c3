// One mailbox is one account: a domain is stored in letters, however it was spelled. Where both
// spellings have accounts, the one in letters is found by all spellings but that of the other,
// which stays as it is; nobody's account is merged. `npm run doctor` names such pairs.
import { domainToASCII, domainToUnicode } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'

const BATCH = 1000

export async function up(db: Kysely<unknown>): Promise<void> {
  const hasOtherSigns = isShared(db) ? sql`email ~ '[^ -~]'` : sql`email glob '*[^ -~]*'`
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; email: string }>`
      select id, email from "user" where id > ${after} and (email like '%xn--%' or ${hasOtherSigns})
      order by id limit ${BATCH}`.execute(db)
    for (const { id, email } of rows) {
      const inLetters = withDomainInLetters(email)
      if (inLetters !== email)
        await sql`update "user" set email = ${inLetters} where id = ${id}
          and not exists (select 1 from "user" where email = ${inLetters})`.execute(db)
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

function withDomainInLetters(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  const ascii = domainToASCII(domain) || domain
  return email.slice(0, at) + (domainToUnicode(ascii) || ascii)
}
