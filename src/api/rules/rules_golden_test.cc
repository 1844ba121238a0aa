#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "api/admit.h"
#include "api/object.h"
#include "api/rules/admit_testing.h"

// What kube-apiserver 1.34 makes of the same objects: recorded from its answers to `kubectl create
// -o json`, without what it makes up for each object (times, versions, cluster addresses).
namespace slipway::api {
namespace {

constexpr std::string_view kUid = "7281196f-737f-4623-b632-6f12cbf28286";

// The object as a store would keep it.
Result<> admit_new(json::Object& object) {
  static const std::unique_ptr<Registry> registry = Registry::make();
  const std::shared_ptr<const Resource> resource = registry->find(gvk_of(object));
  EXPECT_NE(resource, nullptr);
  json::Object& metadata = metadata_of(object);
  metadata["uid"] = kUid;
  if (resource->namespaced) metadata["namespace"] = "default";
  std::vector<std::string> warnings;
  return admit(object, nullptr, *resource, Unknown::kIgnore, {}, warnings);
}

struct Created {
  std::string_view name, given, kept;
};
const Created kCreated[] = {
    {"configmap-empty", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm-empty"}})",
     R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm-empty"}})"},
    {"configmap",
     R"({"apiVersion":"v1","data":{"a":"b"},"kind":"ConfigMap","metadata":{"name":"configmap"}})",
     R"({"apiVersion":"v1","data":{"a":"b"},"kind":"ConfigMap","metadata":{"name":"configmap"}})"},
    {"deployment-recreate",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"recreate"},
"spec":{"selector":{"matchLabels":{"app":"web"}},"strategy":{"type":"Recreate"},
"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"env":[{"name":"IP",
"valueFrom":{"fieldRef":{"fieldPath":"status.podIP"}}}],"image":"reg:5000/web:1.2",
"lifecycle":{"preStop":{"httpGet":{"port":80}}},"livenessProbe":{"periodSeconds":5,
"tcpSocket":{"port":"http"}},"name":"web","ports":[{"containerPort":80}],
"readinessProbe":{"httpGet":{"port":80}},"resources":{"limits":{"cpu":"1000m","memory":"1024Mi"}},
"startupProbe":{"grpc":{"port":5}},"volumeMounts":[{"mountPath":"/e","name":"e"},
{"mountPath":"/c","name":"c"}]},
{"image":"side@sha256:0000000000000000000000000000000000000000000000000000000000000000",
"name":"s"}],"initContainers":[{"command":["true"],"image":"busybox:1.36","name":"init"}],
"serviceAccountName":"robot","volumes":[{"name":"e"},{"configMap":{"name":"cm"},"name":"c"},
{"name":"s","secret":{"secretName":"x"}},{"hostPath":{"path":"/h"},"name":"h"},
{"downwardAPI":{"items":[{"fieldRef":{"fieldPath":"metadata.name"},"path":"p"}]},"name":"d"},
{"name":"p","projected":{"sources":[{"configMap":{"name":"c"}}]}}]}}}})",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"recreate"},
"spec":{"progressDeadlineSeconds":600,"replicas":1,"revisionHistoryLimit":10,
"selector":{"matchLabels":{"app":"web"}},"strategy":{"type":"Recreate"},
"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"env":[{"name":"IP",
"valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"status.podIP"}}}],
"image":"reg:5000/web:1.2","imagePullPolicy":"IfNotPresent",
"lifecycle":{"preStop":{"httpGet":{"path":"/","port":80,"scheme":"HTTP"}}},
"livenessProbe":{"failureThreshold":3,"periodSeconds":5,"successThreshold":1,
"tcpSocket":{"port":"http"},"timeoutSeconds":1},"name":"web","ports":[{"containerPort":80,
"protocol":"TCP"}],"readinessProbe":{"failureThreshold":3,"httpGet":{"path":"/","port":80,
"scheme":"HTTP"},"periodSeconds":10,"successThreshold":1,"timeoutSeconds":1},
"resources":{"limits":{"cpu":"1","memory":"1Gi"}},"startupProbe":{"failureThreshold":3,
"grpc":{"port":5,"service":""},"periodSeconds":10,"successThreshold":1,"timeoutSeconds":1},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",
"volumeMounts":[{"mountPath":"/e","name":"e"},{"mountPath":"/c","name":"c"}]},
{"image":"side@sha256:0000000000000000000000000000000000000000000000000000000000000000",
"imagePullPolicy":"IfNotPresent","name":"s","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"dnsPolicy":"ClusterFirst","initContainers":[{"command":["true"],"image":"busybox:1.36",
"imagePullPolicy":"IfNotPresent","name":"init","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},
"serviceAccount":"robot","serviceAccountName":"robot","terminationGracePeriodSeconds":30,
"volumes":[{"emptyDir":{},"name":"e"},{"configMap":{"defaultMode":420,"name":"cm"},"name":"c"},
{"name":"s","secret":{"defaultMode":420,"secretName":"x"}},{"hostPath":{"path":"/h","type":""},
"name":"h"},{"downwardAPI":{"defaultMode":420,"items":[{"fieldRef":{"apiVersion":"v1",
"fieldPath":"metadata.name"},"path":"p"}]},"name":"d"},{"name":"p","projected":{"defaultMode":420,
"sources":[{"configMap":{"name":"c"}}]}}]}}},"status":{}})"},
    {"deployment-rolling",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"rolling"},
"spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},
"strategy":{"rollingUpdate":{"maxSurge":1}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","name":"web"}]}}}})",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"rolling"},
"spec":{"progressDeadlineSeconds":600,"replicas":0,"revisionHistoryLimit":10,
"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":1,
"maxUnavailable":"25%"},"type":"RollingUpdate"},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","imagePullPolicy":"Always","name":"web","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler",
"securityContext":{},"terminationGracePeriodSeconds":30}}},"status":{}})"},
    {"deployment",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"deployment"},
"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","name":"web"}]}}}})",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"deployment"},
"spec":{"progressDeadlineSeconds":600,"replicas":1,"revisionHistoryLimit":10,
"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":"25%",
"maxUnavailable":"25%"},"type":"RollingUpdate"},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","imagePullPolicy":"Always","name":"web","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler",
"securityContext":{},"terminationGracePeriodSeconds":30}}},"status":{}})"},
    {"endpoints",
     R"({"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"endpoints"},
"subsets":[{"addresses":[{"ip":"10.0.0.1"}],"ports":[{"port":80}]}]})",
     R"({"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"endpoints"},
"subsets":[{"addresses":[{"ip":"10.0.0.1"}],"ports":[{"port":80,"protocol":"TCP"}]}]})"},
    {"endpointslice",
     R"({"addressType":"IPv4","apiVersion":"discovery.k8s.io/v1",
"endpoints":[{"addresses":["10.0.0.1"]}],"kind":"EndpointSlice",
"metadata":{"name":"endpointslice"},"ports":[{"port":80}]})",
     R"({"addressType":"IPv4","apiVersion":"discovery.k8s.io/v1",
"endpoints":[{"addresses":["10.0.0.1"],"conditions":{}}],"kind":"EndpointSlice",
"metadata":{"name":"endpointslice"},"ports":[{"name":"","port":80,"protocol":"TCP"}]})"},
    {"event",
     R"({"apiVersion":"v1","involvedObject":{"kind":"Pod","name":"x","namespace":"default"},
"kind":"Event","message":"m","metadata":{"name":"event"},"reason":"R","type":"Normal"})",
     R"({"apiVersion":"v1","eventTime":null,"firstTimestamp":null,
"involvedObject":{"kind":"Pod","name":"x","namespace":"default"},"kind":"Event",
"lastTimestamp":null,"message":"m","metadata":{"name":"event"},"reason":"R",
"reportingComponent":"","reportingInstance":"","source":{},"type":"Normal"})"},
    {"ingress",
     R"({"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"ingress"},
"spec":{"rules":[{"host":"a.b","http":{"paths":[{"backend":{"service":{"name":"web",
"port":{"number":80}}},"path":"/","pathType":"Prefix"}]}}]}})",
     R"({"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"ingress"},
"spec":{"rules":[{"host":"a.b","http":{"paths":[{"backend":{"service":{"name":"web",
"port":{"number":80}}},"path":"/","pathType":"Prefix"}]}}]},"status":{"loadBalancer":{}}})"},
    {"job-parallel",
     R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"parallel"},
"spec":{"parallelism":2,"template":{"metadata":{"labels":{"a":"b"}},
"spec":{"containers":[{"image":"nginx","name":"web"}],"restartPolicy":"OnFailure"}}}})",
     R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"labels":{"a":"b",
"batch.kubernetes.io/controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"batch.kubernetes.io/job-name":"parallel","controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"job-name":"parallel"},"name":"parallel"},"spec":{"backoffLimit":6,"completionMode":"NonIndexed",
"manualSelector":false,"parallelism":2,"podReplacementPolicy":"TerminatingOrFailed",
"selector":{"matchLabels":{
"batch.kubernetes.io/controller-uid":"7281196f-737f-4623-b632-6f12cbf28286"}},"suspend":false,
"template":{"metadata":{"labels":{"a":"b",
"batch.kubernetes.io/controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"batch.kubernetes.io/job-name":"parallel","controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"job-name":"parallel"}},"spec":{"containers":[{"image":"nginx","imagePullPolicy":"Always",
"name":"web","resources":{},"terminationMessagePath":"/dev/termination-log",
"terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","restartPolicy":"OnFailure",
"schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}},
"status":{}})"},
    {"job",
     R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job"},
"spec":{"template":{"spec":{"containers":[{"image":"nginx","name":"web"}],
"restartPolicy":"Never"}}}})",
     R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"labels":{
"batch.kubernetes.io/controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"batch.kubernetes.io/job-name":"job","controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"job-name":"job"},"name":"job"},"spec":{"backoffLimit":6,"completionMode":"NonIndexed",
"completions":1,"manualSelector":false,"parallelism":1,
"podReplacementPolicy":"TerminatingOrFailed","selector":{"matchLabels":{
"batch.kubernetes.io/controller-uid":"7281196f-737f-4623-b632-6f12cbf28286"}},"suspend":false,
"template":{"metadata":{"labels":{
"batch.kubernetes.io/controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"batch.kubernetes.io/job-name":"job","controller-uid":"7281196f-737f-4623-b632-6f12cbf28286",
"job-name":"job"}},"spec":{"containers":[{"image":"nginx","imagePullPolicy":"Always","name":"web",
"resources":{},"terminationMessagePath":"/dev/termination-log",
"terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","restartPolicy":"Never",
"schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}},
"status":{}})"},
    {"lease",
     R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"lease"},
"spec":{"holderIdentity":"me"}})",
     R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"lease"},
"spec":{"holderIdentity":"me"}})"},
    {"namespace", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"golden"}})",
     R"({"apiVersion":"v1","kind":"Namespace",
"metadata":{"labels":{"kubernetes.io/metadata.name":"golden"},"name":"golden"},
"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})"},
    {"pod-full",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"full"},
"spec":{"containers":[{"env":[{"name":"IP",
"valueFrom":{"fieldRef":{"fieldPath":"status.podIP"}}}],"image":"reg:5000/web:1.2",
"lifecycle":{"preStop":{"httpGet":{"port":80}}},"livenessProbe":{"periodSeconds":5,
"tcpSocket":{"port":"http"}},"name":"web","ports":[{"containerPort":80}],
"readinessProbe":{"httpGet":{"port":80}},"resources":{"limits":{"cpu":"1000m","memory":"1024Mi"}},
"startupProbe":{"grpc":{"port":5}},"volumeMounts":[{"mountPath":"/e","name":"e"},
{"mountPath":"/c","name":"c"}]},
{"image":"side@sha256:0000000000000000000000000000000000000000000000000000000000000000",
"name":"s"}],"initContainers":[{"command":["true"],"image":"busybox:1.36","name":"init"}],
"serviceAccountName":"robot","volumes":[{"name":"e"},{"configMap":{"name":"cm"},"name":"c"},
{"name":"s","secret":{"secretName":"x"}},{"hostPath":{"path":"/h"},"name":"h"},
{"downwardAPI":{"items":[{"fieldRef":{"fieldPath":"metadata.name"},"path":"p"}]},"name":"d"},
{"name":"p","projected":{"sources":[{"configMap":{"name":"c"}}]}}]}})",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"full"},
"spec":{"containers":[{"env":[{"name":"IP","valueFrom":{"fieldRef":{"apiVersion":"v1",
"fieldPath":"status.podIP"}}}],"image":"reg:5000/web:1.2","imagePullPolicy":"IfNotPresent",
"lifecycle":{"preStop":{"httpGet":{"path":"/","port":80,"scheme":"HTTP"}}},
"livenessProbe":{"failureThreshold":3,"periodSeconds":5,"successThreshold":1,
"tcpSocket":{"port":"http"},"timeoutSeconds":1},"name":"web","ports":[{"containerPort":80,
"protocol":"TCP"}],"readinessProbe":{"failureThreshold":3,"httpGet":{"path":"/","port":80,
"scheme":"HTTP"},"periodSeconds":10,"successThreshold":1,"timeoutSeconds":1},
"resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}},
"startupProbe":{"failureThreshold":3,"grpc":{"port":5,"service":""},"periodSeconds":10,
"successThreshold":1,"timeoutSeconds":1},"terminationMessagePath":"/dev/termination-log",
"terminationMessagePolicy":"File","volumeMounts":[{"mountPath":"/e","name":"e"},{"mountPath":"/c",
"name":"c"}]},
{"image":"side@sha256:0000000000000000000000000000000000000000000000000000000000000000",
"imagePullPolicy":"IfNotPresent","name":"s","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"dnsPolicy":"ClusterFirst","enableServiceLinks":true,"initContainers":[{"command":["true"],
"image":"busybox:1.36","imagePullPolicy":"IfNotPresent","name":"init","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"preemptionPolicy":"PreemptLowerPriority","priority":0,"restartPolicy":"Always",
"schedulerName":"default-scheduler","securityContext":{},"serviceAccount":"robot",
"serviceAccountName":"robot","terminationGracePeriodSeconds":30,
"tolerations":[{"effect":"NoExecute","key":"node.kubernetes.io/not-ready","operator":"Exists",
"tolerationSeconds":300},{"effect":"NoExecute","key":"node.kubernetes.io/unreachable",
"operator":"Exists","tolerationSeconds":300}],"volumes":[{"emptyDir":{},"name":"e"},
{"configMap":{"defaultMode":420,"name":"cm"},"name":"c"},{"name":"s","secret":{"defaultMode":420,
"secretName":"x"}},{"hostPath":{"path":"/h","type":""},"name":"h"},
{"downwardAPI":{"defaultMode":420,"items":[{"fieldRef":{"apiVersion":"v1",
"fieldPath":"metadata.name"},"path":"p"}]},"name":"d"},{"name":"p","projected":{"defaultMode":420,
"sources":[{"configMap":{"name":"c"}}]}}]},"status":{"phase":"Pending","qosClass":"Burstable"}})"},
    {"pod",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod"},
"spec":{"containers":[{"image":"nginx","name":"web"}]}})",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod"},
"spec":{"containers":[{"image":"nginx","imagePullPolicy":"Always","name":"web","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"dnsPolicy":"ClusterFirst","enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority",
"priority":0,"restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},
"terminationGracePeriodSeconds":30,"tolerations":[{"effect":"NoExecute",
"key":"node.kubernetes.io/not-ready","operator":"Exists","tolerationSeconds":300},
{"effect":"NoExecute","key":"node.kubernetes.io/unreachable","operator":"Exists",
"tolerationSeconds":300}]},"status":{"phase":"Pending","qosClass":"BestEffort"}})"},
    {"replicaset",
     R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"replicaset"},
"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","name":"web"}]}}}})",
     R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"replicaset"},
"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},
"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"nginx",
"imagePullPolicy":"Always","name":"web","resources":{},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler",
"securityContext":{},"terminationGracePeriodSeconds":30}}},"status":{"replicas":0}})"},
    {"secret",
     R"({"apiVersion":"v1","data":{"k":"dg=="},"kind":"Secret","metadata":{"name":"secret"},
"stringData":{"pw":"a<b>&c","user":"admin"}})",
     R"({"apiVersion":"v1","data":{"k":"dg==","pw":"YTxiPiZj","user":"YWRtaW4="},
"kind":"Secret","metadata":{"name":"secret"},"type":"Opaque"})"},
    {"service-external",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"external"},
"spec":{"externalName":"example.com","type":"ExternalName"}})",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"external"},
"spec":{"externalName":"example.com","sessionAffinity":"None","type":"ExternalName"},
"status":{"loadBalancer":{}}})"},
    {"service-headless",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"headless"},
"spec":{"clusterIP":"None","selector":{"app":"web"}}})",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"headless"},
"spec":{"clusterIP":"None","clusterIPs":["None"],"internalTrafficPolicy":"Cluster",
"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","selector":{"app":"web"},
"sessionAffinity":"None","type":"ClusterIP"},"status":{"loadBalancer":{}}})"},
    {"service-named",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"named"},
"spec":{"ports":[{"name":"http","port":80,"targetPort":"web"},{"name":"dns","port":53,
"protocol":"UDP"}],"sessionAffinity":"ClientIP"}})",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"named"},
"spec":{"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",
"ports":[{"name":"http","port":80,"protocol":"TCP","targetPort":"web"},{"name":"dns","port":53,
"protocol":"UDP","targetPort":53}],"sessionAffinity":"ClientIP",
"sessionAffinityConfig":{"clientIP":{"timeoutSeconds":10800}},"type":"ClusterIP"},
"status":{"loadBalancer":{}}})"},
    {"service",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"service"},
"spec":{"ports":[{"port":80}],"selector":{"app":"web"}}})",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"service"},
"spec":{"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",
"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"selector":{"app":"web"},
"sessionAffinity":"None","type":"ClusterIP"},"status":{"loadBalancer":{}}})"},
};

TEST(KubernetesGolden, NewObjectsGetTheSameDefaults) {
  for (const Created& c : kCreated) {
    json::Object object = parse(c.given);
    const Result<> admitted = admit_new(object);
    ASSERT_TRUE(admitted) << c.name << ": " << admitted.error().text();
    json::Object& metadata = metadata_of(object);
    json::erase(metadata, "uid");
    json::erase(metadata, "namespace");
    EXPECT_EQ(json::write(object, {.sort_keys = true}),
              json::write(parse(c.kept), {.sort_keys = true}))
        << c.name;
  }
}

struct Refused {
  std::string_view name, given;
  std::vector<std::string> findings;
};
const Refused kRefused[] = {
    {"cm-key",
     R"({"apiVersion":"v1","data":{"..x":"y","a b":"x"},"kind":"ConfigMap",
"metadata":{"name":"c1"}})",
     {"data[..x]: Invalid value: \"..x\": must not start with '..'",
      "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric "
      "characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used "
      "for validation is '[-._a-zA-Z0-9]+')"}},
    {"dep-empty",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"b7"},"spec":{}})",
     {"spec.selector: Required value",
      "spec.template.metadata.labels: Invalid value: null: `selector` does not match template "
      "`labels`",
      "spec.template.spec.containers: Required value"}},
    {"dep-labels",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"b1"},
"spec":{"selector":{"matchLabels":{"app":"other"}},
"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"nginx",
"name":"web"}]}}}})",
     {"spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match "
      "template `labels`"}},
    {"dep-negative",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"b3"},
"spec":{"replicas":-1,"selector":{"matchLabels":{"app":"web"}},
"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"nginx",
"name":"web"}]}}}})",
     {"spec.replicas: Invalid value: -1: must be greater than or equal to 0"}},
    {"dep-noselector",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"b2"},
"spec":{"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"nginx",
"name":"web"}]}}}})",
     {"spec.selector: Required value",
      "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match "
      "template `labels`"}},
    {"dep-percent",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"b8"},
"spec":{"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":"x",
"maxUnavailable":"101%"}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","name":"web"}]}}}})",
     {"spec.strategy.rollingUpdate.maxSurge: Invalid value: \"x\": a valid percent string must be "
      "a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation "
      "is '[0-9]+%')",
      "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"101%\": must not be greater "
      "than 100%"}},
    {"dep-restart",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"b4"},
"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","name":"web"}],"restartPolicy":"Never"}}}})",
     {"spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: "
      "\"Always\""}},
    {"dep-surge",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"b5"},
"spec":{"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":0,
"maxUnavailable":0}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"image":"nginx","name":"web"}]}}}})",
     {"spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` "
      "is 0"}},
    {"event-ns",
     R"({"apiVersion":"v1","involvedObject":{"kind":"Pod","name":"x","namespace":"other"},
"kind":"Event","metadata":{"name":"e2"}})",
     {"involvedObject.namespace: Invalid value: \"other\": does not match event.namespace"}},
    {"ing-empty",
     R"({"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"i1"},
"spec":{}})",
     {"spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"}},
    {"ing-path",
     R"({"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"i2"},
"spec":{"rules":[{"host":"1.2.3.4","http":{"paths":[{"backend":{"service":{"name":"w"}},
"path":"a","pathType":"Exact"},{"backend":{},"path":"/"},{"backend":{"service":{"name":"1w",
"port":{"name":"p","number":1}}},"path":"/a//b","pathType":"Prefix"}]}}]}})",
     {"spec.rules[0].host: Invalid value: \"1.2.3.4\": must be a DNS name, not an IP address",
      "spec.rules[0].http.paths[0].path: Invalid value: \"a\": must be an absolute path",
      "spec.rules[0].http.paths[0].backend: Required value: port name or number is required",
      "spec.rules[0].http.paths[1].pathType: Required value: pathType must be specified",
      "spec.rules[0].http.paths[2].path: Invalid value: \"/a//b\": must not contain '//'",
      "spec.rules[0].http.paths[2].backend.service.name: Invalid value: \"1w\": a DNS-1035 label "
      "must consist of lower case alphanumeric characters or '-', start with an alphabetic "
      "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex "
      "used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      "spec.rules[0].http.paths[2].backend: Invalid value: \"\": cannot set both port name & port "
      "number"}},
    {"job-always",
     R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j1"},
"spec":{"template":{"spec":{"containers":[{"image":"nginx","name":"web"}]}}}})",
     {"spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\""}},
    {"job-neg",
     R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j2"},
"spec":{"backoffLimit":-1,"template":{"spec":{"containers":[{"image":"nginx","name":"web"}],
"restartPolicy":"Never"}}}})",
     {"spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0"}},
    {"lease",
     R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l1"},
"spec":{"leaseDurationSeconds":0,"leaseTransitions":-1}})",
     {"spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
      "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0"}},
    {"ns-label",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p14"},
"spec":{"containers":[{"image":"nginx","name":"web"}],"nodeSelector":{"a b":"c d"}}})",
     {"spec.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric "
      "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
      "'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.nodeSelector: Invalid value: \"c d\": a valid label must be an empty string or consist "
      "of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
      "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"}},
    {"ns-name",
     R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"Bad.Name"}})",
     {"metadata.name: Invalid value: \"Bad.Name\": a lowercase RFC 1123 label must consist of "
      "lower case alphanumeric characters or '-', and must start and end with an alphanumeric "
      "character (e.g. 'my-name',  or '123-abc', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"}},
    {"pod-dup",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p2"},
"spec":{"containers":[{"image":"x","name":"a"},{"image":"x","name":"a"}]}})",
     {"spec.containers[1].name: Duplicate value: \"a\""}},
    {"pod-empty",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p10"},"spec":{}})",
     {"spec.containers: Required value"}},
    {"pod-env",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p8"},
"spec":{"containers":[{"env":[{"name":"a=b"},{"name":""},{"name":"x","valueFrom":{}},{"name":"y",
"value":"1","valueFrom":{"fieldRef":{"fieldPath":"spec.foo"}}},{"name":"z",
"valueFrom":{"configMapKeyRef":{"name":"c"}}}],"image":"nginx","name":"web"}]}})",
     {"spec.containers[0].env[0].name: Invalid value: \"a=b\": a valid environment variable name "
      "must consist only of printable ASCII characters other than '='",
      "spec.containers[0].env[1].name: Required value",
      "spec.containers[0].env[2].valueFrom: Invalid value: \"\": must specify one of: `fieldRef`, "
      "`resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`",
      "spec.containers[0].env[3].valueFrom.fieldRef.fieldPath: Invalid value: \"spec.foo\": error "
      "converting fieldPath: field label not supported: spec.foo",
      "spec.containers[0].env[3].valueFrom: Invalid value: \"\": may not be specified when `value` "
      "is not empty",
      "spec.containers[0].env[4].valueFrom.configMapKeyRef.key: Required value"}},
    {"pod-init",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p12"},
"spec":{"containers":[{"image":"nginx","name":"web"}],"initContainers":[{"image":"x",
"livenessProbe":{"exec":{"command":["a"]}},"name":"web"}]}})",
     {"spec.initContainers[0].name: Duplicate value: \"web\"",
      "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without "
      "restartPolicy=Always"}},
    {"pod-mount",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p7"},
"spec":{"containers":[{"image":"nginx","name":"web","volumeMounts":[{"mountPath":"/x",
"name":"nope"},{"mountPath":"/x","name":"nope"}]}]}})",
     {"spec.containers[0].volumeMounts[0].name: Not found: \"nope\"",
      "spec.containers[0].volumeMounts[1].name: Not found: \"nope\"",
      "spec.containers[0].volumeMounts[1].mountPath: Invalid value: \"/x\": must be unique"}},
    {"pod-name",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p3"},
"spec":{"containers":[{"image":"x","name":"A_b"}]}})",
     {"spec.containers[0].name: Invalid value: \"A_b\": a lowercase RFC 1123 label must consist of "
      "lower case alphanumeric characters or '-', and must start and end with an alphanumeric "
      "character (e.g. 'my-name',  or '123-abc', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"}},
    {"pod-noimage",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p1"},
"spec":{"containers":[{"name":"a"}]}})",
     {"spec.containers[0].image: Required value"}},
    {"pod-policy",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p13"},
"spec":{"activeDeadlineSeconds":0,"containers":[{"image":"nginx","name":"web"}]}})",
     {"spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"}},
    {"pod-port",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p4"},
"spec":{"containers":[{"image":"nginx","name":"web","ports":[{"containerPort":70000,"name":"x--"},
{"name":"y"}]}]}})",
     {"spec.containers[0].ports[0].name: Invalid value: \"x--\": must not contain consecutive "
      "hyphens",
      "spec.containers[0].ports[0].name: Invalid value: \"x--\": must not begin or end with a "
      "hyphen",
      "spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and "
      "65535, inclusive",
      "spec.containers[0].ports[1].containerPort: Required value"}},
    {"pod-probe",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p6"},
"spec":{"containers":[{"image":"nginx","livenessProbe":{"exec":{},"successThreshold":2},
"name":"web","readinessProbe":{"periodSeconds":-1},"startupProbe":{"httpGet":{"port":0,
"scheme":"FTP"},"tcpSocket":{"port":1}}}]}})",
     {"spec.containers[0].livenessProbe.exec.command: Required value",
      "spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1",
      "spec.containers[0].readinessProbe: Required value: must specify a handler type",
      "spec.containers[0].readinessProbe.periodSeconds: Invalid value: -1: must be greater than or "
      "equal to 0",
      "spec.containers[0].startupProbe.httpGet.port: Invalid value: 0: must be between 1 and "
      "65535, inclusive",
      "spec.containers[0].startupProbe.httpGet.scheme: Unsupported value: \"FTP\": supported "
      "values: \"HTTP\", \"HTTPS\"",
      "spec.containers[0].startupProbe.tcpSocket: Forbidden: may not specify more than 1 handler "
      "type"}},
    {"pod-proto",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p5"},
"spec":{"containers":[{"image":"nginx","name":"web","ports":[{"containerPort":80,
"protocol":"ICMP"}]}]}})",
     {"spec.containers[0].ports[0].protocol: Unsupported value: \"ICMP\": supported values: "
      "\"SCTP\", \"TCP\", \"UDP\""}},
    {"pod-res",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p9"},
"spec":{"containers":[{"image":"nginx","name":"web","resources":{"limits":{"cpu":"1"},
"requests":{"cpu":"2","foo":"1","memory":"-1"}}}]}})",
     {"spec.containers[0].resources.requests[foo]: Invalid value: \"foo\": must be a standard "
      "resource type or fully qualified",
      "spec.containers[0].resources.requests[foo]: Invalid value: \"foo\": must be a standard "
      "resource for containers",
      "spec.containers[0].resources.requests[memory]: Invalid value: \"-1\": must be greater than "
      "or equal to 0",
      "spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal to "
      "cpu limit of 1"}},
    {"pod-vol",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p11"},
"spec":{"containers":[{"image":"nginx","name":"web"}],"volumes":[{"emptyDir":{},
"hostPath":{"path":"/x"},"name":"a"},{"name":"b","secret":{}},{"name":"c"},{"name":"c"}]}})",
     {"spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type",
      "spec.volumes[1].secret.secretName: Required value",
      "spec.volumes[3].name: Duplicate value: \"c\""}},
    {"secret-tls",
     R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"t1"},"type":"kubernetes.io/tls"})",
     {"data[tls.crt]: Required value", "data[tls.key]: Required value"}},
    {"slice",
     R"({"apiVersion":"discovery.k8s.io/v1","endpoints":[{"addresses":[]},{"addresses":["x"]}],
"kind":"EndpointSlice","metadata":{"name":"e1"}})",
     {"addressType: Required value",
      "endpoints[0].addresses: Required value: must contain at least 1 address"}},
    {"svc-ext",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s5"},
"spec":{"clusterIP":"10.0.0.5","type":"ExternalName"}})",
     {"spec.clusterIPs: Forbidden: may not be set for ExternalName services",
      "spec.externalName: Required value"}},
    {"svc-name",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"1s"},
"spec":{"ports":[{"port":80}]}})",
     {"metadata.name: Invalid value: \"1s\": a DNS-1035 label must consist of lower case "
      "alphanumeric characters or '-', start with an alphabetic character, and end with an "
      "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
      "'[a-z]([-a-z0-9]*[a-z0-9])?')"}},
    {"svc-node",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s4"},
"spec":{"ports":[{"nodePort":30000,"port":80}]}})",
     {"spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"}},
    {"svc-noports",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s1"},"spec":{}})",
     {"spec.ports: Required value"}},
    {"svc-ports",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s2"},
"spec":{"ports":[{"port":0},{"name":"a","port":80},{"name":"a","port":80,"targetPort":"-x"}]}})",
     {"spec.ports[0].name: Required value",
      "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive",
      "spec.ports[2].name: Duplicate value: \"a\"",
      "spec.ports[2].targetPort: Invalid value: \"-x\": must not begin or end with a hyphen",
      "spec.ports[2]: Duplicate value: "
      "{\"Name\":\"\",\"Protocol\":\"TCP\",\"AppProtocol\":null,\"Port\":80,\"TargetPort\":0,"
      "\"NodePort\":0}"}},
    {"svc-type",
     R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s3"},
"spec":{"ports":[{"nodePort":30000,"port":80}],"type":"Odd"}})",
     {"spec.type: Unsupported value: \"Odd\": supported values: \"ClusterIP\", \"ExternalName\", "
      "\"LoadBalancer\", \"NodePort\""}},
};

TEST(KubernetesGolden, WrongObjectsAreRefusedInTheSameWords) {
  for (const Refused& c : kRefused) {
    json::Object object = parse(c.given);
    const Result<> admitted = admit_new(object);
    ASSERT_FALSE(admitted) << c.name;
    std::vector<std::string> findings;
    for (const Cause& cause : admitted.error().causes)
      findings.push_back(cause.field + ": " + cause.message);
    std::vector<std::string> wanted = c.findings;
    std::ranges::sort(findings);  // Kubernetes' own order is partly that of Go's maps
    std::ranges::sort(wanted);
    EXPECT_EQ(findings, wanted) << c.name;
  }
}

}  // namespace
}  // namespace slipway::api
