// Parts of the package that are loaded on the way. Each makes itself known to the package.
declare module 'hugerte/plugins/*'
declare module 'virtual:editor-dialogs'
