// Deliberate faults, one for each rule that must never be lost. `npm run test:mutants` puts each
// into a copy of the sources and expects `npm test` to fail.

export type Mutant = {
  rule: string
  /** Occurs exactly once in the sources. */
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
    rule: 'moderation: posts of blocked authors are hidden',
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
    rule: 'sessions: a session ends 30 days after the sign-in',
    find: 'return session.expiresAt > now && session.lastUsedAt > idleSince',
    replace: 'return session.lastUsedAt > idleSince',
    test: 'test/api/accounts-viewer.test.ts',
  },
  {
    rule: 'sessions: a session begun by an operator’s link ends when that operator loses the role',
    find: ' && isOpenerStillOperator(session)',
    replace: '',
    test: 'test/api/opened-by-others.test.ts',
  },
  {
    rule: 'sessions: a password recovery ends all sessions of the account',
    find: 'publishEndedSessions(tx, userId, await store.deleteSessions(tx, userId))\n  await store.deleteTokens',
    replace: 'await store.deleteTokens',
    test: 'test/api/accounts-recovery.test.ts',
  },
  {
    rule: 'tokens: a mailed secret expires',
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
    rule: 'limits: a user stores at most one gigabyte',
    find: 'if (usage.sizeBytes + sizeBytes > STORED_PER_USER_MAX_BYTES)',
    replace: 'if (usage.sizeBytes > STORED_PER_USER_MAX_BYTES * 1000)',
    test: 'backend/files/files.test.ts',
  },
  {
    rule: 'limits: the length of a text is limited',
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
    rule: 'origins: another host name that resolves to this host is not the blog’s own origin',
    find: '[publicAddress, requested].every(',
    replace: '[publicAddress].every(',
    test: 'backend/http/origins.test.ts',
  },
  {
    rule: 'likes: each user has one like per post, and unliking removes only that like',
    find: "    .where('discussionSeq', '=', discussionOf(db, postId))\n    .where('userId', '=', userId),",
    replace:
      "    .where('discussionSeq', '=', discussionOf(db, postId))\n    .where('userId', '>=', userId),",
    test: 'backend/posts/likes-store.test.ts',
  },
  {
    rule: 'versions: a save with a changed text stores the previous version',
    find: '  await addVersion(context, tx, saved)\n  return dropOldest',
    replace: '  return dropOldest',
    test: 'backend/versions/history.test.ts',
  },
  {
    rule: 'cache: a response is sent only while the versions of its tags are current',
    find: 'tags.every((tag) => current.get(tag) === versions.get(tag))',
    replace: 'tags.every((tag) => current.has(tag))',
    test: 'backend/cache/response-cache.test.ts',
  },
  {
    rule: 'cache: a change while a response is first generated invalidates it',
    find: 'after.get(ALL) === before.get(ALL) ? after : before',
    replace: 'after.has(ALL) ? after : before',
    test: 'backend/cache/response-cache.test.ts',
  },
  {
    rule: 'search: results contain only posts the reader may read',
    find: 'const scope = searchableBy(viewer)\n  const offset',
    replace: "const scope = 'all' as ReturnType<typeof searchableBy>\n  const offset",
    test: 'backend/post-lists/search-posts.test.ts',
  },
  {
    rule: 'texts: a framed player cannot navigate the page',
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
    rule: 'aliases: the author may be sent under any of its names',
    find: '    data[name] = value\n    delete data[alias]',
    replace: '    delete data[alias]',
    test: 'test/api/attribute-aliases.test.ts',
  },
  {
    rule: 'events: only users who may read the post now receive its event',
    find: "current !== undefined && can(viewer, 'read', event.access) && can(viewer, 'read', current)",
    replace: "can(viewer, 'read', event.access)",
    test: 'backend/realtime/rights-store.test.ts',
  },
  {
    rule: 'reads: reads by the author do not count',
    find: 'readers.filter((reader) => reader !== userId).length',
    replace: 'readers.length',
    test: 'backend/reads/reads.test.ts',
  },
  {
    rule: 'account: deleting an account deletes its posts and files',
    find: '  await removePostsOf(tx, userId)\n  await removeFilesOf(context, tx, afterCommit, userId)\n',
    replace: '',
    test: 'test/api/deletion.test.ts',
  },
  {
    rule: 'writes: a write is answered after its commit',
    find: '      await shared.done.promise\n',
    replace: '',
    test: 'backend/database/sqlite-faults.test.ts',
  },
  {
    rule: 'web: signing in never redirects to another site',
    find: 'origin !== BASE ||',
    replace: '',
    test: 'web/accounts/return-path.test.ts',
  },
  {
    rule: 'setup: requests from other hosts need the setup code',
    find: "if (!maySetUpWithoutCode(context, request)) await checkCode(context, setup.code ?? '', caller)",
    replace: '',
    test: 'test/api/setup.test.ts',
  },
  {
    rule: 'setup: a foreign host name that resolves to this host needs the setup code',
    find: 'const isThisAddress = isLoopback(url.hostname) &&',
    replace: 'const isThisAddress =',
    test: 'test/api/setup.test.ts',
  },
  {
    rule: 'setup: the setup works once',
    find: "    if (!(await recordSetUp(tx, now()))) throw new Refusal('setup_done')\n    await writeSiteValues",
    replace: '    await recordSetUp(tx, now())\n    await writeSiteValues',
    test: 'test/api/setup.test.ts',
  },
  {
    rule: 'roles: the last operator cannot lose the role',
    find: "  if (!(await store.findOtherOperator(tx, user.id))) throw new Refusal('user_last_operator')\n",
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
    rule: 'roles: of signed-in users only operators may make the calls of the API key',
    find: 'isForOperators && isOperator(viewer)',
    replace: "isForOperators && viewer.role === 'user'",
    test: 'test/api/account-roles.test.ts',
  },
  {
    rule: 'comments: a comment that waits for approval is hidden from other readers',
    find: "return status === 'waiting' || status === 'rejected'",
    replace: "return status === 'rejected'",
    test: 'test/api/comments.test.ts',
  },
  {
    rule: 'comments: the text of a hidden comment is not sent to other readers',
    find: "status === 'shown' || (mayReadHidden && status !== 'deleted')",
    replace: "status !== 'deleted'",
    test: 'test/api/comments.test.ts',
  },
  {
    rule: 'sign-in links: an operator cannot create one for another operator',
    find: "if (actor.role !== 'key' && roleIn(user) === 'operator') throw new Refusal('user_unauthorized')",
    replace: '',
    test: 'test/api/operator-people.test.ts',
  },
  {
    rule: 'notifications: text and names are removed if the user may not read the post',
    find: 'const isRead = post !== undefined && mayRead(post)',
    replace: 'const isRead = post !== undefined',
    test: 'backend/notifications/notifications.test.ts',
  },
  {
    rule: 'reports: users cannot report their own content',
    find: "    if (target.userId === viewer.userId) throw new Refusal('report_own')\n",
    replace: '',
    test: 'backend/moderation/reports.test.ts',
  },
  {
    rule: 'mails: content the user may no longer read is not mailed',
    find: '      !notification.isGone &&\n      hasContent(notification) &&\n',
    replace: '',
    test: 'backend/notifications/mails.test.ts',
  },
  {
    rule: 'mails: an unsubscribe link ends only one kind of mail of one user',
    find: 'if (!mailChoice || kind !== name || !isSameHash(hash, expectedHash))',
    replace: 'if (!mailChoice || kind !== name)',
    test: 'backend/notifications/mails.test.ts',
  },
  {
    rule: 'preview links: a link ends after 14 days',
    find: 'return expiresAt > now.toISOString()',
    replace: 'return expiresAt !== now.toISOString()',
    test: 'test/api/preview-links.test.ts',
  },
  {
    rule: 'preview links: a link shows nothing of a blocked author',
    find: "post.status !== 'active' && post.isHidden === 0 && post.isAuthorBlocked === 0",
    replace: "post.status !== 'active' && post.isHidden === 0",
    test: 'test/api/preview-links.test.ts',
  },
  {
    rule: 'preview links: only who may edit a post makes a link',
    find: "    if (!can(viewer, 'edit', post)) throw new Refusal('user_unauthorized')\n    if (!isPreviewable(post))",
    replace: '    if (!isPreviewable(post))',
    test: 'test/api/preview-links.test.ts',
  },
  {
    rule: 'schedules: nothing is published for an author who may not write',
    find: "if (!mayWrite && !isPage(post)) return 'authorMayNotWrite'\n",
    replace: '',
    test: 'backend/posts/publish-scheduled.test.ts',
  },
  {
    rule: 'pages: only operators read inactive pages, and change pages',
    find: 'return mayWritePages(viewer) || (action',
    replace: "return viewer.role === 'user' || (action",
    test: 'test/api/blog-pages.test.ts',
  },
  {
    rule: 'pages: only operators make pages',
    find: "if (!mayWritePages(viewer)) throw new Refusal('user_unauthorized')\n",
    replace: '',
    test: 'test/api/blog-pages.test.ts',
  },
  {
    rule: 'pages: a former operator has no pages in lists',
    find: "where page.readers = 'page')",
    replace: "where page.readers = 'never')",
    test: 'test/api/blog-pages.test.ts',
  },
  {
    rule: 'links: links in the header lead to web pages only',
    find: 'if (!url || !isWeb || url.username',
    replace: 'if (!url || url.username',
    test: 'test/api/blog-pages.test.ts',
  },
  {
    rule: 'merging: a copy older than the stored post is refused, whatever the clock says',
    find: 'times.find((time) => time > updatedAt) ?? secondsAfter(new Date(updatedAt), 0.001)',
    replace: "times.at(0) ?? ''",
    test: 'backend/posts/posts.test.ts',
  },
]
