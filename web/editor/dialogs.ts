// The dialogs of images, code samples and links, which are loaded when the first one opens.

export { CodeDialog } from './code-dialog.tsx'
export { ImageDialog } from './image-dialog.tsx'
export { LinkDialog } from './link-dialog.tsx'
