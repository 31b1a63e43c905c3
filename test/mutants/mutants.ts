// Deliberate faults, one for each rule that must never be lost. `npm run test:mutants` puts each
// into a copy of the sources and expects `npm test` to fail.

export type Mutant = {
  rule: string
  /** Stands exactly once in the sources. */
  find: string
  replace: string
  /** The test file that is tried first; when it passes, all of `npm test` runs. */
  test: string
}

export const MUTANTS: Mutant[] = [
  {
    rule: 'rights: only its author edits or deletes a post',
    find: "      return viewer.role === 'user' && viewer.userId === post.userId",
    replace: "      return viewer.role === 'user'",
    test: 'backend/posts/access.test.ts',
  },
  {
    rule: 'drafts: an inactive post is visible to its author alone',
    find: "return status === 'active' && !isHidden",
    replace: 'return !isHidden && status.length > 0',
    test: 'backend/posts/access.test.ts',
  },
  {
    rule: 'drafts: lists leave out inactive posts',
    find: "} <> 'active' then 'draft' else",
    replace: "} = 'never' then 'draft' else",
    test: 'backend/post-lists/list-queries.test.ts',
  },
  {
    rule: 'moderation: posts of blocked authors are gone',
    find: "('user.isBlocked')} = 1)",
    replace: "('user.isBlocked')} = 2)",
    test: 'test/api/moderation.test.ts',
  },
  {
    rule: 'moderation: a blocked user is refused at each request',
    find: "if (session.isBlocked) throw new Refusal('user_blocked')",
    replace: '',
    test: 'test/api/accounts-viewer.test.ts',
  },
  {
    rule: 'sessions: one ends 30 days after the sign-in',
    find: 'return session.expiresAt > now && session.lastUsedAt > idleSince',
    replace: 'return session.lastUsedAt > idleSince',
    test: 'test/api/accounts-viewer.test.ts',
  },
  {
    rule: 'sessions: one of an operator’s link ends with the role of that operator',
    find: ' && isOpenerStillOperator(session)',
    replace: '',
    test: 'test/api/opened-by-others.test.ts',
  },
  {
    rule: 'sessions: a hand-over of the account ends all of them',
    find: 'publishEndedSessions(tx, userId, await store.deleteSessions(tx, userId))\n  await store.deleteTokens',
    replace: 'await store.deleteTokens',
    test: 'test/api/accounts-recovery.test.ts',
  },
  {
    rule: 'tokens: a mailed secret ends after its time',
    find: "if (!token || token.expiresAt <= now.toISOString()) throw new Refusal('user_invalid_token')",
    replace: "if (!token) throw new Refusal('user_invalid_token')",
    test: 'test/api/accounts-recovery.test.ts',
  },
  {
    rule: 'tokens: a mailed secret works once',
    find: "if (!isDeleted || !user || user.isBlocked) throw new Refusal('user_invalid_token')",
    replace: "if (!user || user.isBlocked) throw new Refusal('user_invalid_token')",
    test: 'test/api/accounts-recovery.test.ts',
  },
  {
    rule: 'tokens: wrong guesses of a code are counted',
    find: '(row.guessesLeft === null || countedIds.includes(row.id)) &&',
    replace: '',
    test: 'test/api/accounts-codes.test.ts',
  },
  {
    rule: 'limits: calls beyond a rate limit are refused',
    find: 'if (full) refuse(full)',
    replace: '',
    test: 'backend/http/rate-limits.test.ts',
  },
  {
    rule: 'limits: nobody stores more than a gigabyte',
    find: 'if (usage.sizeBytes + sizeBytes > STORED_PER_USER_MAX_BYTES)',
    replace: 'if (usage.sizeBytes > STORED_PER_USER_MAX_BYTES * 1000)',
    test: 'backend/files/files.test.ts',
  },
  {
    rule: 'limits: a text is at most so long',
    find: 'if (pass.chars > CONTENT_MAX_CHARS)',
    replace: 'if (pass.chars > CONTENT_MAX_CHARS * 1000)',
    test: 'backend/post-texts/sanitise.test.ts',
  },
  {
    rule: 'origins: pages of other sites cannot write',
    find: 'if (isReading(request.method)) return false\n  const { origin, referer, host }',
    replace: "if (request.method !== '') return false\n  const { origin, referer, host }",
    test: 'backend/http/origins.test.ts',
  },
  {
    rule: 'origins: a name of another machine that leads to a blog on this one is none of its own',
    find: '[publicAddress, requested].every(',
    replace: '[publicAddress].every(',
    test: 'backend/http/origins.test.ts',
  },
  {
    rule: 'likes: one for each user and post, and never lost to another',
    find: "    .where('discussionSeq', '=', discussionOf(db, postId))\n    .where('userId', '=', userId),",
    replace:
      "    .where('discussionSeq', '=', discussionOf(db, postId))\n    .where('userId', '>=', userId),",
    test: 'backend/posts/likes-store.test.ts',
  },
  {
    rule: 'versions: a save of another text keeps the one before',
    find: '  await addVersion(context, tx, saved)\n  return dropOldest',
    replace: '  return dropOldest',
    test: 'backend/versions/history.test.ts',
  },
  {
    rule: 'cache: a response is sent only while its tags have the versions it was made of',
    find: 'tags.every((tag) => current.get(tag) === versions.get(tag))',
    replace: 'tags.every((tag) => current.has(tag))',
    test: 'backend/cache/response-cache.test.ts',
  },
  {
    rule: 'cache: what changes while a response is made for the first time makes it invalid',
    find: 'after.get(ALL) === before.get(ALL) ? after : before',
    replace: 'after.has(ALL) ? after : before',
    test: 'backend/cache/response-cache.test.ts',
  },
  {
    rule: 'search: only what the reader may read is found',
    find: 'const scope = readableBy(viewer)\n  const offset',
    replace: "const scope = 'all' as ReturnType<typeof readableBy>\n  const offset",
    test: 'backend/post-lists/search-posts.test.ts',
  },
  {
    rule: 'texts: a framed player cannot lead the page elsewhere',
    find: "allow-popups',\n  loading",
    replace: "allow-popups allow-top-navigation',\n  loading",
    test: 'backend/post-texts/sanitise.test.ts',
  },
  {
    rule: 'texts: only players of YouTube and Vimeo are framed',
    find: "if (element === 'iframe') return toPlayerAddress(addresses, value)",
    replace: "if (element === 'iframe') return toWebAddress(addresses, value)",
    test: 'backend/post-texts/sanitise.test.ts',
  },
  {
    rule: 'files: only those who may read a file get its bytes',
    find: 'return row.isComplete === 1 && groups.includes(row.readers)',
    replace: 'return row.isComplete === 1 && groups.length > 0',
    test: 'test/api/files-bytes.test.ts',
  },
  {
    rule: 'names: the author is sent under any of its names',
    find: '    data[name] = value\n    delete data[alias]',
    replace: '    delete data[alias]',
    test: 'test/api/attribute-aliases.test.ts',
  },
  {
    rule: 'changes: an event reaches only who may read the post now',
    find: "current !== undefined && can(viewer, 'read', event.access) && can(viewer, 'read', current)",
    replace: "can(viewer, 'read', event.access)",
    test: 'backend/realtime/rights-store.test.ts',
  },
  {
    rule: 'reads: those of the author do not count',
    find: 'readers.filter((reader) => reader !== userId).length',
    replace: 'readers.length',
    test: 'backend/reads/reads.test.ts',
  },
  {
    rule: 'account: with it go its posts and files',
    find: '  await removePostsOf(tx, userId)\n  await removeFilesOf(context, tx, afterCommit, userId)\n',
    replace: '',
    test: 'test/api/deletion.test.ts',
  },
  {
    rule: 'writes: one is answered after its commit',
    find: '      await shared.done.promise\n',
    replace: '',
    test: 'backend/database/sqlite-faults.test.ts',
  },
  {
    rule: 'web: after signing in nobody is led to another site',
    find: 'origin !== BASE ||',
    replace: '',
    test: 'web/accounts/return-path.test.ts',
  },
  {
    rule: 'setup: elsewhere than on this host the code is asked for',
    find: "if (!maySetUpWithoutCode(context, request)) await checkCode(context, sent.code ?? '', caller)",
    replace: '',
    test: 'test/api/setup.test.ts',
  },
  {
    rule: 'setup: a name that another site leads to this host is not this host',
    find: 'const isThisAddress = isLoopback(url.hostname) &&',
    replace: 'const isThisAddress =',
    test: 'test/api/setup.test.ts',
  },
  {
    rule: 'setup: it happens once',
    find: "    if (!(await recordSetUp(tx, now()))) throw new Refusal('setup_done')\n    await writeSiteValues",
    replace: '    await recordSetUp(tx, now())\n    await writeSiteValues',
    test: 'test/api/setup.test.ts',
  },
  {
    rule: 'roles: the blog keeps an operator',
    find: "  if (!(await store.hasOtherOperator(tx, user.id))) throw new Refusal('user_last_operator')\n",
    replace: '',
    test: 'test/api/account-roles.test.ts',
  },
  {
    rule: 'roles: readers write no posts',
    find: "if (user && isReader(viewer, user)) throw new Refusal('user_is_reader')",
    replace: '',
    test: 'test/api/account-roles.test.ts',
  },
  {
    rule: 'roles: only operators may call as the API key may',
    find: 'isForOperators && isOperator(viewer)',
    replace: "isForOperators && viewer.role === 'user'",
    test: 'test/api/account-roles.test.ts',
  },
  {
    rule: 'comments: one that waits is for few',
    find: "return status === 'waiting' || status === 'rejected'",
    replace: "return status === 'rejected'",
    test: 'test/api/comments.test.ts',
  },
  {
    rule: 'comments: hidden words are for few',
    find: "status === 'shown' || (mayReadHidden && status !== 'deleted')",
    replace: "status !== 'deleted'",
    test: 'test/api/comments.test.ts',
  },
  {
    rule: 'sign-in links: an operator makes none of another',
    find: "if (by.role !== 'key' && roleIn(user) === 'operator') throw new Refusal('user_unauthorized')",
    replace: '',
    test: 'test/api/operator-people.test.ts',
  },
  {
    rule: 'bell: of what one may not read neither words nor names stay',
    find: 'const isRead = post !== undefined && mayRead(post)',
    replace: 'const isRead = post !== undefined',
    test: 'backend/notifications/notifications.test.ts',
  },
  {
    rule: 'reports: nobody reports their own',
    find: "    if (reported.userId === viewer.userId) throw new Refusal('report_own')\n",
    replace: '',
    test: 'backend/moderation/reports.test.ts',
  },
  {
    rule: 'mails: nothing goes out of what may not be read any more',
    find: '      !notification.isGone &&\n      hasContent(notification) &&\n',
    replace: '',
    test: 'backend/notifications/mails.test.ts',
  },
  {
    rule: 'mails: a link ends the kind of its reader alone',
    find: 'if (!mailChoice || kind !== name || !isSameHash(hash, expectedHash))',
    replace: 'if (!mailChoice || kind !== name)',
    test: 'backend/notifications/mails.test.ts',
  },
]
