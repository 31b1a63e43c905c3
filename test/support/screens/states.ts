// Every screen in every state, and how to open it on the seeded blog, for tests that audit all of
// them.
import type { PersonKey } from '#scripts/seed/people.ts'
import {
  openDashboard,
  openDifferingPasswords,
  openEmptyDashboard,
  openFailedSignIn,
  openGoogleLanding,
  openInvitation,
  openKeptMail,
  openOwnFiles,
  openPendingSignUp,
  openSendingAvatar,
  openSentRecovery,
  openSpentLink,
} from './open-account.ts'
import {
  openChosenFile,
  openDoneImport,
  openFailedImport,
  openImportCheck,
  openRunningImport,
} from './open-archive.ts'
import { openAuthor, openEmptyAuthor, openOwnAuthor } from './open-author.ts'
import { openDraftPreview, openPreviewLink } from './open-draft-preview.ts'
import {
  openAccountMenu,
  openEmptyFeed,
  openError,
  openFailedFeed,
  openFocusedCard,
  openGuard,
  openHome,
  openLoadingFeed,
  openMore,
  openOffline,
  openShortcuts,
  openThemeMenu,
} from './open-feed.ts'
import {
  openBringingBack,
  openComparison,
  openDeletedPosts,
  openDrafts,
  openNothingDeleted,
  openOldVersion,
  openOneVersion,
  openVersions,
} from './open-history.ts'
import { openDeletedPost, openNewPosts, openUpdatedPost } from './open-live.ts'
import {
  openAfterPost,
  openDeleteQuestion,
  openDrawnCover,
  openEditForm,
  openEditMenu,
  openFailedLike,
  openFilledForm,
  openForeignForm,
  openForm,
  openFormErrors,
  openLikeQuestion,
  openLoadingPost,
  openPostInfo,
  openPreview,
  openSavingForm,
  openVideo,
  openWithoutBar,
  openWithoutImage,
} from './open-post.ts'
import {
  openPublishDrawer,
  openPublished,
  openScheduledForm,
  openScheduledList,
} from './open-publishing.ts'
import { openOnlySignInMethod, openSignInMethodRemoval } from './open-sign-in-methods.ts'
import {
  openCodeDialog,
  openFailedImage,
  openImageDialog,
  openInOtherTab,
  openLinkDialog,
  openRefusedImage,
  openSendingImage,
  openSource,
  openStoredImage,
  openTagSuggestions,
  openUploadInText,
} from './open-writing.ts'
import { CLOCK, FAILED_REQUEST, LINK, openFeed, type Stage, visit } from './stage.ts'

export type ScreenState = {
  /** The screen and its state. */
  name: string
  /** The signed-in person; a guest when absent. */
  viewer?: PersonKey
  /** Only one screen size has this state. */
  only?: 'wide' | 'narrow'
  /** Expected console messages and failed responses. */
  faults?: RegExp
  open(stage: Stage): Promise<void>
}

const SLOW_BOAT = 'Eleven nights on the slow boat'
const LETTER = 'رسالة إلى نافذة لا تُفتح'

export const SCREEN_STATES: readonly ScreenState[] = [
  { name: 'home', open: openHome },
  { name: 'guard', viewer: 'tobias', open: openGuard },
  { name: 'feed', viewer: 'tobias', open: ({ page }) => openFeed(page) },
  { name: 'feed-more', viewer: 'tobias', open: openMore },
  { name: 'feed-new-posts', viewer: 'tobias', open: openNewPosts },
  { name: 'feed-loading', viewer: 'tobias', open: openLoadingFeed },
  { name: 'feed-empty', viewer: 'tobias', open: openEmptyFeed },
  { name: 'feed-error', viewer: 'tobias', faults: FAILED_REQUEST, open: openFailedFeed },
  { name: 'offline', viewer: 'tobias', faults: FAILED_REQUEST, open: openOffline },
  { name: 'focus-card', viewer: 'tobias', open: openFocusedCard },
  { name: 'theme-menu', viewer: 'tobias', only: 'wide', open: openThemeMenu },
  { name: 'account-menu', viewer: 'tobias', open: openAccountMenu },
  { name: 'shortcuts', viewer: 'tobias', only: 'wide', open: openShortcuts },
  {
    name: 'search',
    viewer: 'tobias',
    open: ({ page }) => visit(page, '/search?q=the+light', 'Search'),
  },
  {
    name: 'search-empty',

    viewer: 'tobias',
    open: ({ page }) => visit(page, '/search', 'Search'),
  },
  {
    name: 'search-none',

    viewer: 'tobias',
    open: ({ page }) => visit(page, '/search?q=nigth+trian', 'Search'),
  },
  { name: 'tag', viewer: 'tobias', open: ({ page }) => visit(page, '/tag/river', '#river') },
  {
    name: 'tag-empty',

    viewer: 'tobias',
    faults: FAILED_REQUEST,
    open: ({ page }) => visit(page, '/tag/submarines', '#submarines'),
  },
  {
    name: 'post',
    viewer: 'noor',
    open: ({ page, postPath }) => visit(page, postPath(CLOCK), CLOCK),
  },
  {
    name: 'post-visitor',

    open: ({ page, postPath }) => visit(page, postPath(CLOCK), CLOCK),
  },
  {
    name: 'post-long',

    viewer: 'noor',
    open: ({ page, postPath }) => visit(page, postPath(SLOW_BOAT), SLOW_BOAT),
  },
  { name: 'post-updated', viewer: 'noor', open: openUpdatedPost },
  { name: 'post-deleted', viewer: 'noor', open: openDeletedPost },
  { name: 'author', viewer: 'wiebke', open: openAuthor },
  { name: 'author-own', viewer: 'tobias', open: openOwnAuthor },
  { name: 'author-own-empty', viewer: 'pia', open: openEmptyAuthor },
  { name: 'post-info', viewer: 'noor', open: openPostInfo },
  { name: 'post-video', viewer: 'noor', open: openVideo },
  { name: 'post-after', viewer: 'noor', open: openAfterPost },
  { name: 'post-bar-hidden', open: openWithoutBar },
  {
    name: 'post-rtl',
    viewer: 'wiebke',
    open: ({ page, postPath }) => visit(page, postPath(LETTER), LETTER),
  },
  {
    name: 'post-no-image',

    viewer: 'wiebke',
    faults: FAILED_REQUEST,
    open: openWithoutImage,
  },
  { name: 'post-loading', viewer: 'wiebke', open: openLoadingPost },
  {
    name: 'post-missing',

    viewer: 'wiebke',
    faults: FAILED_REQUEST,
    open: ({ page }) => visit(page, '/post/blog1l', 'This post is not here'),
  },
  { name: 'post-like-sign-in', open: openLikeQuestion },
  {
    name: 'post-like-failed',

    viewer: 'wiebke',
    faults: FAILED_REQUEST,
    open: openFailedLike,
  },
  { name: 'post-owner-edit', viewer: 'tobias', open: openEditMenu },
  { name: 'post-owner-delete', viewer: 'tobias', open: openDeleteQuestion },
  { name: 'post-form', viewer: 'tobias', open: openFilledForm },
  { name: 'post-form-tags', viewer: 'tobias', open: openTagSuggestions },
  { name: 'post-form-empty', viewer: 'tobias', open: openForm },
  { name: 'post-form-drawn', viewer: 'tobias', open: openDrawnCover },
  { name: 'post-form-image', viewer: 'tobias', open: openStoredImage },
  {
    name: 'post-form-choose',

    viewer: 'tobias',
    open: openImageDialog,
  },
  {
    name: 'post-form-sending',

    viewer: 'tobias',
    open: openSendingImage,
  },
  {
    name: 'post-form-dropped',

    viewer: 'tobias',
    faults: /ERR_FAILED/,
    open: openFailedImage,
  },
  {
    name: 'post-form-refused',

    viewer: 'tobias',
    open: openRefusedImage,
  },
  {
    name: 'post-form-other-tab',

    viewer: 'tobias',
    open: openInOtherTab,
  },
  { name: 'post-form-upload', viewer: 'tobias', open: openUploadInText },
  { name: 'post-form-code', viewer: 'tobias', open: openCodeDialog },
  { name: 'post-form-link', viewer: 'tobias', open: openLinkDialog },
  { name: 'post-form-source', viewer: 'tobias', open: openSource },
  { name: 'post-form-errors', viewer: 'tobias', open: openFormErrors },
  { name: 'post-form-edit', viewer: 'tobias', open: openSavingForm },
  { name: 'post-preview', viewer: 'tobias', open: openPreview },
  { name: 'post-preview-link', viewer: 'tobias', open: openPreviewLink },
  { name: 'post-draft-preview', viewer: 'tobias', open: openDraftPreview },
  {
    name: 'post-draft-preview-ended',
    faults: FAILED_REQUEST,
    open: ({ page }) => visit(page, '/preview/none', 'This preview has ended'),
  },
  { name: 'post-form-edit-idle', viewer: 'tobias', open: openEditForm },
  {
    name: 'post-form-forbidden',

    viewer: 'tobias',
    faults: /status of 403/,
    open: openForeignForm,
  },
  { name: 'dashboard', viewer: 'tobias', open: openDashboard },
  { name: 'dashboard-drafts', viewer: 'tobias', open: openDrafts },
  { name: 'post-publish', viewer: 'amara', open: openPublishDrawer },
  { name: 'post-scheduled', viewer: 'amara', open: openScheduledForm },
  { name: 'post-published', viewer: 'amara', open: openPublished },
  { name: 'dashboard-scheduled', viewer: 'amara', open: openScheduledList },
  { name: 'dashboard-deleted', viewer: 'tobias', open: openDeletedPosts },
  { name: 'dashboard-deleted-empty', viewer: 'tobias', open: openNothingDeleted },
  { name: 'versions', viewer: 'tobias', open: openVersions },
  { name: 'versions-one', viewer: 'tobias', open: openOneVersion },
  { name: 'versions-compare', viewer: 'tobias', open: openComparison },
  { name: 'versions-restore', viewer: 'tobias', open: openBringingBack },
  { name: 'versions-read', viewer: 'tobias', open: openOldVersion },
  { name: 'dashboard-empty', viewer: 'pia', open: openEmptyDashboard },
  { name: 'dashboard-avatar', viewer: 'noor', open: openSendingAvatar },
  {
    name: 'settings',

    viewer: 'tobias',
    open: ({ page }) => visit(page, '/settings', 'Settings'),
  },
  ...['sign-in', 'writing', 'notifications', 'language', 'data', 'delete-account'].map((part) => ({
    name: `settings-${part}`,
    viewer: 'tobias' as const,
    open: ({ page }: Stage) => visit(page, `/settings/${part}`, 'Settings'),
  })),
  { name: 'import', viewer: 'tobias', open: openChosenFile },
  { name: 'import-check', viewer: 'tobias', open: openImportCheck },
  { name: 'import-running', viewer: 'tobias', open: openRunningImport },
  { name: 'import-done', viewer: 'tobias', open: openDoneImport },
  { name: 'import-failed', viewer: 'tobias', open: openFailedImport },
  { name: 'settings-remove', viewer: 'tobias', open: openSignInMethodRemoval },
  { name: 'settings-only-way', viewer: 'tobias', open: openOnlySignInMethod },
  { name: 'settings-files', viewer: 'tobias', open: openOwnFiles },
  { name: 'login', open: ({ page }) => visit(page, '/login', 'Sign in to your account') },
  {
    name: 'login-reason',
    open: ({ page }) => visit(page, '/post', 'Sign in to your account'),
  },
  { name: 'login-error', faults: FAILED_REQUEST, open: openFailedSignIn },
  { name: 'signup', open: openPendingSignUp },
  { name: 'forgot', open: openSentRecovery },
  { name: 'mail-kept-settings', viewer: 'tobias', open: openKeptMail },
  { name: 'invitation', open: openInvitation },
  { name: 'reset', open: openDifferingPasswords },
  { name: 'verify-email', faults: FAILED_REQUEST, open: openSpentLink },
  {
    name: 'verify-email-incomplete',

    open: ({ page }) => visit(page, '/verifyUserEmailLink'),
  },
  { name: 'verification', open: openGoogleLanding },
  {
    name: 'verification-email',

    open: ({ page }) => visit(page, `/verification${LINK}`),
  },
  { name: 'verify-oauth', viewer: 'tobias', open: ({ page }) => visit(page, '/verifyOAuth') },
  {
    name: 'not-found',
    faults: FAILED_REQUEST,
    open: ({ page }) => visit(page, '/nowhere', '404 Not Found'),
  },
  { name: 'error', viewer: 'wiebke', faults: FAILED_REQUEST, open: openError },
]
