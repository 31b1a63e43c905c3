// Every screen in every state, and how the seeded blog is brought into it: for `npm run screens`
// and for the browser tests that look over all of them. Knows nothing of screenshots or findings.
import type { PersonKey } from '../seed/people.ts'
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
import { openAuthor, openEmptyAuthor, openOwnAuthor } from './open-author.ts'
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
import { openOnlyWay, openRemoval } from './open-ways.ts'
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
import { CLOCK, FAILED, LINK, openFeed, type Stage, visit } from './stage.ts'

export type ScreenState = {
  /** Of its file: the screen and its state. */
  name: string
  /** Who looks; nobody signed in when absent. */
  viewer?: PersonKey
  /** A state of less weight: one image in the dark theme is enough. */
  isExtra?: true
  /** Only one kind of screen has this state. */
  only?: 'wide' | 'narrow'
  /** Console lines and failed answers that belong to the state. */
  faults?: RegExp
  open(stage: Stage): Promise<void>
}

const SLOW_BOAT = 'Eleven nights on the slow boat'
const LETTER = 'رسالة إلى نافذة لا تُفتح'

export const SCREEN_STATES: readonly ScreenState[] = [
  { name: 'home', open: openHome },
  { name: 'guard', viewer: 'tobias', open: openGuard },
  { name: 'feed', viewer: 'tobias', open: ({ page }) => openFeed(page) },
  { name: 'feed-more', isExtra: true, viewer: 'tobias', open: openMore },
  { name: 'feed-new-posts', viewer: 'tobias', open: openNewPosts },
  { name: 'feed-loading', viewer: 'tobias', open: openLoadingFeed },
  { name: 'feed-empty', viewer: 'tobias', open: openEmptyFeed },
  { name: 'feed-error', viewer: 'tobias', faults: FAILED, open: openFailedFeed },
  { name: 'offline', viewer: 'tobias', faults: FAILED, open: openOffline },
  { name: 'focus-card', viewer: 'tobias', open: openFocusedCard },
  { name: 'theme-menu', viewer: 'tobias', only: 'wide', open: openThemeMenu },
  { name: 'account-menu', viewer: 'tobias', open: openAccountMenu },
  { name: 'shortcuts', isExtra: true, viewer: 'tobias', only: 'wide', open: openShortcuts },
  {
    name: 'search',
    viewer: 'tobias',
    open: ({ page }) => visit(page, '/search?q=the+light', 'Search'),
  },
  {
    name: 'search-empty',
    isExtra: true,
    viewer: 'tobias',
    open: ({ page }) => visit(page, '/search', 'Search'),
  },
  {
    name: 'search-none',
    isExtra: true,
    viewer: 'tobias',
    open: ({ page }) => visit(page, '/search?q=nigth+trian', 'Search'),
  },
  { name: 'tag', viewer: 'tobias', open: ({ page }) => visit(page, '/tag/river', '#river') },
  {
    name: 'tag-empty',
    isExtra: true,
    viewer: 'tobias',
    faults: FAILED,
    open: ({ page }) => visit(page, '/tag/submarines', '#submarines'),
  },
  {
    name: 'post',
    viewer: 'noor',
    open: ({ page, postPath }) => visit(page, postPath(CLOCK), CLOCK),
  },
  {
    name: 'post-visitor',
    isExtra: true,
    open: ({ page, postPath }) => visit(page, postPath(CLOCK), CLOCK),
  },
  {
    name: 'post-long',
    isExtra: true,
    viewer: 'noor',
    open: ({ page, postPath }) => visit(page, postPath(SLOW_BOAT), SLOW_BOAT),
  },
  { name: 'post-updated', viewer: 'noor', open: openUpdatedPost },
  { name: 'post-deleted', isExtra: true, viewer: 'noor', open: openDeletedPost },
  { name: 'author', viewer: 'wiebke', open: openAuthor },
  { name: 'author-own', isExtra: true, viewer: 'tobias', open: openOwnAuthor },
  { name: 'author-own-empty', isExtra: true, viewer: 'pia', open: openEmptyAuthor },
  { name: 'post-info', isExtra: true, viewer: 'noor', open: openPostInfo },
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
    isExtra: true,
    viewer: 'wiebke',
    faults: FAILED,
    open: openWithoutImage,
  },
  { name: 'post-loading', viewer: 'wiebke', open: openLoadingPost },
  {
    name: 'post-missing',
    isExtra: true,
    viewer: 'wiebke',
    faults: FAILED,
    open: ({ page }) => visit(page, '/post/blog1l', 'This post is not here'),
  },
  { name: 'post-like-sign-in', isExtra: true, open: openLikeQuestion },
  {
    name: 'post-like-failed',
    isExtra: true,
    viewer: 'wiebke',
    faults: FAILED,
    open: openFailedLike,
  },
  { name: 'post-owner-edit', viewer: 'tobias', open: openEditMenu },
  { name: 'post-owner-delete', viewer: 'tobias', open: openDeleteQuestion },
  { name: 'post-form', viewer: 'tobias', open: openFilledForm },
  { name: 'post-form-tags', isExtra: true, viewer: 'tobias', open: openTagSuggestions },
  { name: 'post-form-empty', isExtra: true, viewer: 'tobias', open: openForm },
  { name: 'post-form-drawn', isExtra: true, viewer: 'tobias', open: openDrawnCover },
  { name: 'post-form-image', isExtra: true, viewer: 'tobias', open: openStoredImage },
  {
    name: 'post-form-choose',
    isExtra: true,
    viewer: 'tobias',
    open: openImageDialog,
  },
  {
    name: 'post-form-sending',
    isExtra: true,
    viewer: 'tobias',
    open: openSendingImage,
  },
  {
    name: 'post-form-dropped',
    isExtra: true,
    viewer: 'tobias',
    faults: /ERR_FAILED/,
    open: openFailedImage,
  },
  {
    name: 'post-form-refused',
    isExtra: true,
    viewer: 'tobias',
    open: openRefusedImage,
  },
  {
    name: 'post-form-other-tab',
    isExtra: true,
    viewer: 'tobias',
    open: openInOtherTab,
  },
  { name: 'post-form-upload', isExtra: true, viewer: 'tobias', open: openUploadInText },
  { name: 'post-form-code', isExtra: true, viewer: 'tobias', open: openCodeDialog },
  { name: 'post-form-link', isExtra: true, viewer: 'tobias', open: openLinkDialog },
  { name: 'post-form-source', isExtra: true, viewer: 'tobias', open: openSource },
  { name: 'post-form-errors', viewer: 'tobias', open: openFormErrors },
  { name: 'post-form-edit', viewer: 'tobias', open: openSavingForm },
  { name: 'post-preview', viewer: 'tobias', open: openPreview },
  { name: 'post-form-edit-idle', isExtra: true, viewer: 'tobias', open: openEditForm },
  {
    name: 'post-form-forbidden',
    isExtra: true,
    viewer: 'tobias',
    faults: /status of 403/,
    open: openForeignForm,
  },
  { name: 'dashboard', viewer: 'tobias', open: openDashboard },
  { name: 'dashboard-drafts', viewer: 'tobias', open: openDrafts },
  { name: 'dashboard-deleted', viewer: 'tobias', open: openDeletedPosts },
  { name: 'dashboard-deleted-empty', isExtra: true, viewer: 'tobias', open: openNothingDeleted },
  { name: 'versions', viewer: 'tobias', open: openVersions },
  { name: 'versions-one', isExtra: true, viewer: 'tobias', open: openOneVersion },
  { name: 'versions-compare', viewer: 'tobias', open: openComparison },
  { name: 'versions-restore', viewer: 'tobias', open: openBringingBack },
  { name: 'versions-read', isExtra: true, viewer: 'tobias', open: openOldVersion },
  { name: 'dashboard-empty', viewer: 'pia', open: openEmptyDashboard },
  { name: 'dashboard-avatar', viewer: 'noor', open: openSendingAvatar },
  {
    name: 'settings',
    isExtra: true,
    viewer: 'tobias',
    open: ({ page }) => visit(page, '/settings', 'Settings'),
  },
  { name: 'settings-remove', viewer: 'tobias', open: openRemoval },
  { name: 'settings-only-way', viewer: 'tobias', open: openOnlyWay },
  { name: 'settings-files', viewer: 'tobias', open: openOwnFiles },
  { name: 'login', open: ({ page }) => visit(page, '/login', 'Sign in to your account') },
  {
    name: 'login-reason',
    open: ({ page }) => visit(page, '/post', 'Sign in to your account'),
  },
  { name: 'login-error', faults: FAILED, open: openFailedSignIn },
  { name: 'signup', open: openPendingSignUp },
  { name: 'forgot', open: openSentRecovery },
  { name: 'mail-kept-settings', viewer: 'tobias', open: openKeptMail },
  { name: 'invitation', open: openInvitation },
  { name: 'reset', open: openDifferingPasswords },
  { name: 'verify-email', faults: FAILED, open: openSpentLink },
  {
    name: 'verify-email-incomplete',
    isExtra: true,
    open: ({ page }) => visit(page, '/verifyUserEmailLink'),
  },
  { name: 'verification', open: openGoogleLanding },
  {
    name: 'verification-email',
    isExtra: true,
    open: ({ page }) => visit(page, `/verification${LINK}`),
  },
  { name: 'verify-oauth', viewer: 'tobias', open: ({ page }) => visit(page, '/verifyOAuth') },
  {
    name: 'not-found',
    faults: FAILED,
    open: ({ page }) => visit(page, '/nowhere', '404 Not Found'),
  },
  { name: 'error', viewer: 'wiebke', faults: FAILED, open: openError },
]
