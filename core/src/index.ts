// What the service knows and does: every command, query and record that is used outside of the core.
export {
	type Credentials,
	checkAddress,
	checkCredentials,
	checkNextPassword,
} from './accounts/credentials.ts';
export { lockAccount } from './accounts/lock.ts';
export { alertOwner } from './accounts/mail/alert.ts';
export { createMail, type Mail } from './accounts/mail/mail.ts';
export {
	newDeviceAlert,
	newKeyAlert,
	newPasswordAlert,
	resetMessage,
	twoFactorAlert,
	verificationMessage,
} from './accounts/mail/messages.ts';
export { accountByPassword, createHashingQueue, hashPassword } from './accounts/password-hash.ts';
export {
	type AccountRecord,
	accountSorts,
	accountWithCredits,
	countAccounts,
	listAccounts,
	searchAccounts,
} from './accounts/search.ts';
export {
	deleteDevices,
	deviceDays,
	isKnownDevice,
	rememberDevice,
} from './accounts/sessions/devices.ts';
export {
	confirmationRequired,
	dropSession,
	endSession,
	endSessions,
	findMember,
	listSessions,
	type Member,
	openSession,
	requireConfirmation,
	rotateSession,
} from './accounts/sessions/sessions.ts';
export {
	type Account,
	createAccount,
	emailTaken,
	enableAccount,
	findAccount,
	setRole,
	verifiedAddress,
	vouchForAddress,
} from './accounts/store.ts';
export {
	acceptCode,
	countRecoveryCodes,
	disableTwoFactor,
	enableTwoFactor,
	replaceRecoveryCodes,
	requireVerified,
	setUpTwoFactor,
} from './accounts/two-factor.ts';
export { asActor, currentActor, identify, nameAccount } from './activity/actor.ts';
export { record, recordDaily, recordRepeat } from './activity/record.ts';
export {
	type ActivityFilter,
	type ActivityRecord,
	activityLines,
	activityList,
	asSeenBy,
	listActivity,
} from './activity/store.ts';
export { type Contacts, contactInterval, createContacts } from './agents/contacts.ts';
export {
	createAgent,
	createAgentLookup,
	findAgent,
	listAgents,
	updateAgent,
} from './agents/store.ts';
export { planBaseImages, replaceBaseImages } from './base-images/plan.ts';
export {
	type BaseImageRecord,
	baseImageList,
	createBaseImage,
	deleteBaseImage,
	findBaseImage,
	listBaseImages,
	moveBaseImage,
	pageOfBaseImages,
	updateBaseImage,
} from './base-images/store.ts';
export { type Capabilities, capabilitiesOf } from './boards/capabilities.ts';
export { createBoard, retireBoard, setMaintenance, updateBoard } from './boards/change.ts';
export { writeCsv } from './boards/csv.ts';
export {
	type BoardFormat,
	exportBoards,
	importGiven,
	readBoards,
	writeBoards,
} from './boards/files.ts';
export { historyKey, medianOf, readManaged, readUsualTimes } from './boards/history.ts';
export { importBoards } from './boards/import.ts';
export { boardList, isCostly, readBoardsPage } from './boards/list.ts';
export {
	type BoardCounts,
	type BoardRate,
	type BoardSearch,
	type BoardSlice,
	boardSorts,
	countBoardsByStatus,
	type FoundBoard,
	findFreeBoard,
	listBoardRates,
	searchBoards,
	summarizeBoardTypes,
} from './boards/search.ts';
export {
	type BoardRecord,
	boardNames,
	findBoard,
	listBoardTypes,
	noSuchBoard,
} from './boards/store.ts';
export { type Claim, claimed, findClaim, isClaimed, isWaitingForClaim } from './claims.ts';
export type { Core } from './core.ts';
export { costBetween } from './credits/charge.ts';
export { creditsOf, spendableCredits } from './credits/holds.ts';
export {
	addCredits,
	creditBalance,
	grantCredits,
	listCredits,
	readAmount,
} from './credits/store.ts';
export { isPaidTier, requirePaidTier } from './credits/tier.ts';
export { type PaymentProvider, sandbox, topUp } from './credits/top-up.ts';
export {
	type Clock,
	clockOf,
	describeSkew,
	mostSkew,
	setClock,
	skewOf,
	timeIn,
	timestamp,
} from './database/clock.ts';
export { type Database, isDatabaseAway, openDatabase, ping } from './database/database.ts';
export { filePath, holdsPassword } from './database/location.ts';
export { createLookup } from './database/lookup.ts';
export { migrate } from './database/migrations.ts';
export { pageRequest } from './database/pagination.ts';
export { onPostgres } from './database/postgres.ts';
export { createRevisionCache, leasesRevision, readBoardsRevision } from './database/revisions.ts';
export type {
	BoardRow,
	CreditEntryRow,
	Db,
	FailureRow,
	LeaseRow,
	Owned,
} from './database/schema.ts';
export { watchSchema } from './database/schema-check.ts';
export { claimFile } from './database/sqlite/one-service.ts';
export { inTransaction } from './database/transactions.ts';
export { createWake, type Wait, type Wake } from './database/wake.ts';
export { type Settings, settingsFrom } from './env.ts';
export { ApiError } from './errors.ts';
export { startHousekeeping } from './housekeeping.ts';
export { createLastUsed, type LastUsed } from './keys/last-used.ts';
export { createKeyLookup } from './keys/lookup.ts';
export {
	expiryOf,
	keySorts,
	mostKeysShown,
	newestKeys,
	type ShownKey,
	searchKeys,
} from './keys/search.ts';
export {
	createKey,
	createKeyWithin,
	findFamily,
	findKeys,
	keyList,
	listKeys,
	noSuchKey,
	replaceUnusedKey,
	revokeKey,
	revokeKeys,
} from './keys/store.ts';
export { reportAction } from './leases/actions/report.ts';
export {
	actionList,
	createAction,
	findAction,
	lastFlash,
	listActions,
	stepKey,
	withStarts,
} from './leases/actions/store.ts';
export {
	agentChange,
	announceLease,
	boardChange,
	consoleChange,
	leaseChange,
	picturesChange,
	pinsChange,
} from './leases/changes.ts';
export {
	type ConsoleEvent,
	chunksUntil,
	consoleEvents,
	nextChunk,
	offsetAfter,
	type Reading,
	startOfTail,
} from './leases/console/reader.ts';
export { keepRecent } from './leases/console/recent.ts';
export { appendInput, appendOutput, maxConsoleReport } from './leases/console/store.ts';
export { syncConsole } from './leases/console/sync.ts';
export { createDispatch } from './leases/dispatch.ts';
export { endLeaseAsAdmin, endWaitingFor, releaseLease } from './leases/ending/release.ts';
export { noSuchLease } from './leases/errors.ts';
export type { Dispatch, LeaseEvents } from './leases/events.ts';
export { requireDiskSpace } from './leases/files/disk.ts';
export {
	createFile,
	findDownload,
	findFile,
	findNeededFile,
	findUpload,
	keepDownload,
} from './leases/files/store.ts';
export { readInThread } from './leases/files/thread.ts';
export { lockLease } from './leases/holder.ts';
export { renewLease, startMinutes } from './leases/minutes.ts';
export { lookAt, storePicture } from './leases/pins/picture.ts';
export {
	drivePin,
	type PinSample,
	readDriven,
	readSample,
	storeSample,
	watchPins,
} from './leases/pins/store.ts';
export { startImageDownloads } from './leases/preparation/image-downloads.ts';
export { createLease } from './leases/queue/create.ts';
export { freeAfterQueue, probableEnd } from './leases/queue/estimate.ts';
export { grantBoards } from './leases/queue/grant.ts';
export { chooseReadyMail } from './leases/queue/ready-mail.ts';
export {
	countWaiting,
	type PastLease,
	type RunningLease,
	readHolderNames,
	readPast,
	readQueueOfType,
	readRunning,
	readWaiting,
} from './leases/queue/usage.ts';
export type { QueueView } from './leases/queue/view.ts';
export {
	agentHeaders,
	drivenBoard,
	findDrivenLease,
	requireActive,
	requireDriven,
	requireGranted,
} from './leases/requirements.ts';
export { isInGrace, latestEnd, type Renewal } from './leases/rules/lifecycle.ts';
export { startScheduler } from './leases/scheduler.ts';
export { type Access, type Accessible, accessTo, type Caller } from './leases/sharing/access.ts';
export {
	findShare,
	leaveLease,
	listShares,
	shareLease,
	unshareLease,
} from './leases/sharing/store.ts';
export { findLease, leaseList, listLeases, readableLease } from './leases/store.ts';
export {
	type LeaseAction,
	type LeaseView,
	type QueuedView,
	readLeaseView,
	shownActions,
} from './leases/view.ts';
export { waitForLease, waitUntil } from './leases/wait.ts';
export { createCounts, tooMany } from './limits/counts.ts';
export { createLimiter, type Turn, tooBusy } from './limits/limiter.ts';
export { closeConnection, openConnection } from './link/connection.ts';
export { revokeAgent } from './link/revoke.ts';
export { workLines } from './link/work.ts';
export { createLog, type Log } from './log.ts';
export { deleteAccount } from './members/delete.ts';
export { disableAccount } from './members/disable.ts';
export { changeEmail, findNewEmail, requestEmailChange } from './members/email-change.ts';
export {
	createLink,
	findLink,
	findOwnLink,
	passwordLink,
	setPassword,
	takeLink,
	useLink,
	verifyAddress,
} from './members/links.ts';
export { hourNow } from './operations/hourly-use.ts';
export {
	type BoardState,
	boardStates,
	countCauses,
	countFailedLeases,
	countStates,
	countTypes,
	type FleetAgent,
	listFleet,
	listQueue,
	listTrouble,
	type QueueRow,
	type StateCount,
	type TroubledBoard,
	type TypeCount,
} from './operations/overview.ts';
export { type Period, readUse, type UseOfPeriod, type Waits, waitUnder } from './operations/use.ts';
export { invalid, parseJson, printableName, rejectNul, validate } from './validation.ts';
